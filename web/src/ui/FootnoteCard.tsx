// What a footnote shows: who said it, when, and the words in the message they stand in.
import { useEffect, useState } from "react";
import { asRefused, type Refused } from "../api/problem";
import type { Message } from "../api/shapes";
import { useStore } from "../state/store";
import { excerpt } from "./excerpt";
import { useIsLate } from "./late";
import { findSource, sourceHere } from "./sources";
import { speakerOf } from "./speaker";
import { Time } from "./Time";
import { titleOf } from "./titles";
import { Visible } from "./Visible";

interface Props {
  conversationId: string;
  messageId: string;
  quote: string | null;
}

/** null: it is there no more; undefined: not known yet. */
type Found = Message | Refused | null | undefined;

function useSource(conversationId: string, messageId: string): Found {
  const [found, setFound] = useState<Found>(() => sourceHere(conversationId, messageId));
  useEffect(() => {
    let isWanted = true;
    findSource(conversationId, messageId).then(
      (message) => isWanted && setFound(message),
      (error) => isWanted && setFound(asRefused(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [conversationId, messageId]);
  return found;
}

export function FootnoteCard({ conversationId, messageId, quote }: Props) {
  const found = useSource(conversationId, messageId);
  if (found === undefined) return <Looking />;
  if (found === null)
    return <span className="soft">The message it came from has been erased.</span>;
  if (found instanceof Error) return <Unreached problem={found} quote={quote} />;
  return <Said message={found} quote={quote} />;
}

function Said({ message, quote }: { message: Message; quote: string | null }) {
  const elsewhere = useStore(({ shown, conversations }) =>
    shown === message.conversationId ? undefined : conversations[message.conversationId],
  );
  const { before, quote: marked, after } = excerpt(message.content, quote);
  return (
    <>
      <span className="footnote-who">
        <b dir="auto">
          <Visible text={speakerOf(message)} />
        </b>
        <Time at={message.timestamp} />
      </span>
      {elsewhere && (
        <span className="footnote-where" dir="auto">
          in <Visible text={titleOf(elsewhere)} />
        </span>
      )}
      {message.status === "redacted" ? (
        <span className="footnote-words soft">This message has been erased.</span>
      ) : (
        <span className="footnote-words" dir="auto">
          <Visible text={before} />
          {marked && (
            <mark>
              <Visible text={marked} />
            </mark>
          )}
          <Visible text={after} />
        </span>
      )}
    </>
  );
}

const Looking = () => (
  <span className="soft">{useIsLate("source") ? "Looking it up…" : "\u00a0"}</span>
);

function Unreached({ problem, quote }: { problem: Refused; quote: string | null }) {
  return (
    <>
      {quote && (
        <span className="footnote-words" dir="auto">
          <mark>
            <Visible text={quote} />
          </mark>
        </span>
      )}
      <span className="soft">
        {problem.message} {problem.remedy}
      </span>
    </>
  );
}
