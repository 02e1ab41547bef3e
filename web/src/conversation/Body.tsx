// The words of a message.
import { useState } from "react";
import type { Message } from "../api/shapes";
import { Markdown } from "../markdown/Markdown";
import { count } from "../ui/numbers";
import { Visible } from "../ui/Visible";

/** Longer texts of people are shown in part: the browser is slow with a hundred pages in a block. */
const LONG = 8_000;
const BEGINNING = 4_000;

export function Body({ message }: { message: Message }) {
  const { status, role, content } = message;
  if (status === "redacted") return <p className="soft">This message has been erased.</p>;
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
  return <Plain text={content} />;
}

function Plain({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
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
