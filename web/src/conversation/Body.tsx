// The words of a message.
import { useEffect, useState } from "react";
import type { Message } from "../api/shapes";
import { Markdown } from "../markdown/Markdown";
import { useStore } from "../state/store";
import { count } from "../ui/numbers";
import { Visible } from "../ui/Visible";

/** Longer texts of people are shown in part: the browser is slow with a hundred pages in a block. */
const LONG = 8_000;
const BEGINNING = 4_000;

interface Props {
  message: Message;
  /** Words of it that have to be there. */
  quote?: string | null;
}

export function Body({ message, quote = null }: Props) {
  const { status, role, content } = message;
  if (status === "redacted") return <Erased id={message.id} />;
  if (status === "failed") {
    return (
      <p className="talk-failed">
        <Visible text={content} />
      </p>
    );
  }
  if (role === "assistant") {
    return (
      <div className="talk-body" dir="auto">
        {content && <Markdown text={content} streaming={status === "streaming"} />}
      </div>
    );
  }
  return <Plain text={content} quote={quote} />;
}

function Erased({ id }: { id: string }) {
  const isGoing = useStore(({ erasingMessages }) =>
    erasingMessages.some(({ messageId }) => messageId === id),
  );
  return (
    <p className="soft talk-erased">
      {isGoing ? "This message is being erased." : "This message has been erased."}
    </p>
  );
}

/** Text as it was written. */
export function Plain({ text, quote = null }: { text: string; quote?: string | null }) {
  const [isWhole, setWhole] = useState(false);
  const isBeyond =
    quote !== null && text.length > LONG && !text.slice(0, BEGINNING).includes(quote);
  useEffect(() => {
    if (isBeyond) setWhole(true);
  }, [isBeyond]);
  const isCut = text.length > LONG && !isWhole;
  return (
    <>
      <div className="talk-body talk-plain" dir="auto">
        <Visible text={isCut ? `${text.slice(0, BEGINNING)}…` : text} />
      </div>
      {isCut && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show all {count(text.length)} characters
        </button>
      )}
    </>
  );
}
