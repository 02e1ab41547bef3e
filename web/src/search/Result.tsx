// One result: a way to the place where it was said.
import { Link } from "wouter";
import type { ExternalResult, SearchResult } from "../api/shapes";
import { linesText } from "../markdown/plain";
import { plainSnippet } from "../markdown/snippet";
import { ChannelIcon } from "../ui/Icon";
import { Time } from "../ui/Time";
import { titleOf } from "../ui/titles";
import { Visible } from "../ui/Visible";
import { Explanation } from "./Explanation";
import { Marked } from "./Marked";
import { Whose } from "./Whose";
import { HIT } from "./walking";

type Found = SearchResult | ExternalResult;

/** Where it was said: the best message of it. */
function placeOf({ kind, conversationId, messageIds: [best] }: Found): string {
  const room = kind === "external" ? "/external" : "/c";
  return `${room}/${conversationId}${best ? `#${best}` : ""}`;
}

interface Props {
  result: Found;
  /** Whether it holds none of the words, and is found by what it means. */
  isNear: boolean;
  onOpen: () => void;
}

export function Result({ result, isNear, onOpen }: Props) {
  const { abbreviation, explanation, score } = result;
  const outside = "external" in result ? result.external : null;
  // A snippet of the abbreviation, which is Markdown, says it already; others are as they were said.
  const isOfAbout = !outside && result.turnRange === "";
  const { text, ranges } = isOfAbout
    ? plainSnippet(result.snippet, result.highlights)
    : { text: result.snippet, ranges: result.highlights };
  const isAbout = result.kind === "conversation" && abbreviation && !isOfAbout;
  return (
    <li className="find-result">
      <Link href={placeOf(result)} className={HIT} onClick={onOpen}>
        <span className="find-head">
          <ChannelIcon channel={result.channel} size={16} />
          <span className="find-title" dir="auto">
            <Visible text={titleOf(result)} />
          </span>
          <span className="find-when soft">
            <Time at={result.timestamp} />
            {!outside && (
              <span className="find-turns"> · {result.turnRange || "what it is about"}</span>
            )}
          </span>
        </span>
        {outside && <Whose outside={outside} />}
        <span
          className={outside?.by === "outsider" ? "find-snippet theirs" : "find-snippet"}
          dir="auto"
        >
          <Marked text={text} ranges={ranges} />
          {isNear && !outside && <span className="soft"> · near in meaning</span>}
        </span>
        {isAbout && (
          <span className="find-about soft" dir="auto">
            <Visible text={linesText(abbreviation)} />
          </span>
        )}
      </Link>
      {explanation && !outside && (
        <details className="find-why">
          <summary className="soft">Why it was found</summary>
          <Explanation score={score} parts={explanation} />
        </details>
      )}
    </li>
  );
}
