// Commands: a message that begins with a slash and a word is answered at once.

export interface Command {
  name: string;
  usage: string;
  what: string;
}

/** As the server knows them (`palaver.agent.commands`). */
export const COMMANDS: readonly Command[] = [
  {
    name: "new",
    usage: "/new [text]",
    what: "begins a new conversation, with the text if there is one",
  },
  {
    name: "model",
    usage: "/model [name]",
    what: "shows the models, or chooses one for this conversation",
  },
  { name: "title", usage: "/title text", what: "gives this conversation a title" },
  {
    name: "forget",
    usage: "/forget words",
    what: "finds messages with these words, and erases them if you confirm",
  },
  { name: "help", usage: "/help", what: "shows this list" },
];

/** The commands that the text may become. Once there is a space, it has become one, or none. */
export function commandsFor(text: string): readonly Command[] {
  const begun = /^\/([A-Za-z-]{0,32})$/.exec(text);
  const name = begun?.[1]?.toLowerCase();
  return name === undefined ? [] : COMMANDS.filter((one) => one.name.startsWith(name));
}
