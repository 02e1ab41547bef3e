// What must survive a reload: drafts, and messages on their way. Kept in this browser only.

const DRAFTS = "palaver.drafts";
const OUTBOX = "palaver.outbox";
export const NEW = "new";

function read(name, empty) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? empty;
  } catch {
    return empty;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser keeps nothing (full, or told not to): the page still holds it until it is closed.
  }
}

export const drafts = {
  of: (place) => read(DRAFTS, {})[place] ?? "",
  keep(place, text) {
    const all = read(DRAFTS, {});
    if (text) all[place] = text;
    else delete all[place];
    write(DRAFTS, all);
  },
};

// A message on its way: {key, place, text, at, problem}. `place` is a conversation's id or NEW.
// Every change starts from what is stored, because other tabs store theirs there too.
let waiting = [];

function update(change) {
  waiting = change(read(OUTBOX, waiting));
  write(OUTBOX, waiting);
}

export const outbox = {
  of: (place) => waiting.filter((message) => message.place === place),
  find: (key) => waiting.find((message) => message.key === key),
  // Those that were on their way when the page was left: sending them again is harmless.
  unsure: () => waiting.filter((message) => !message.problem),
  unreached: () => waiting.filter((message) => message.problem?.code === "unreachable"),
  open: () => update((messages) => messages),
  add: (message) => update((messages) => [...messages, message]),
  change: (key, changes) =>
    update((messages) => messages.map((message) => (message.key === key ? { ...message, ...changes } : message))),
  drop: (keys) => update((messages) => messages.filter((message) => !keys.includes(message.key))),
};

// Nothing is kept of a conversation that has been erased.
export function forget(place) {
  outbox.drop(outbox.of(place).map((message) => message.key));
  drafts.keep(place, "");
}
