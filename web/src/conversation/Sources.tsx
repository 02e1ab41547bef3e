// What a reply stands on, as footnotes.
import type { Message } from "../api/shapes";
import { Footnote } from "../ui/Footnote";

/** The conversations of the messages that the text links to. */
export function linked(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, conversation = "", message = ""] of text.matchAll(/\/c\/([\w-]+)#(msg-[\w-]+)/g)) {
    found.set(message, conversation);
  }
  return found;
}

export function Sources({ message }: { message: Message }) {
  if (!message.sources.length || message.status === "redacted") return null;
  const places = linked(message.content);
  return (
    <p className="talk-sources">
      <span className="soft">From</span>
      {message.sources.map(({ messageId, quote }, index) => (
        <Footnote
          key={messageId}
          number={index + 1}
          conversationId={places.get(messageId) ?? message.conversationId}
          messageId={messageId}
          quote={quote}
        />
      ))}
    </p>
  );
}
