// What there is to say about an answer, or instead of one: how much was found, why nothing was,
// and what to do.
import { Link } from "wouter";
import type { Refused } from "../api/problem";
import { counted } from "../ui/numbers";
import { useZone } from "../ui/Time";
import type { Answer } from "./asking";
import { spokenWindow } from "./spoken";
import { addressOf, hasFilters, type Kind, type Wanted } from "./wanted";

const EXAMPLES = ["the invoice last March", "what I said about Lisbon", "yesterday"];

const NOUNS: Record<Kind, string> = {
  conversation: "conversation",
  message: "turn",
  external: "message",
};

/** How much was found, for everybody who sees or hears the page. */
export function summaryOf({ wanted, page }: Answer): string {
  const { results, timeWindow, nextCursor } = page;
  if (results.length === 0) return "Nothing was found.";
  const noun = NOUNS[wanted.kind];
  const shown = `${nextCursor ? "The best " : ""}${counted(results.length, noun)}`;
  if (wanted.kind === "external")
    return timeWindow
      ? `${shown} from that time.`
      : `${shown}, best first: with some of the words.`;
  if (page.results.every(({ highlights }) => highlights.length === 0))
    return timeWindow
      ? `${shown} from that time.`
      : `${shown} near in meaning. No message holds these words.`;
  return `${shown}, best first: with some of the words, or near in meaning.`;
}

/** Where one looks who asks for what others wrote. */
export function Apart() {
  return (
    <p className="find-note soft">
      What was said with others, in your <Link href="/external">external communications</Link>. It
      is found here only, and by its words.
    </p>
  );
}

export function EmptyWindow({ answer }: { answer: Answer }) {
  const zone = useZone();
  const { emptyWindow } = answer.page;
  if (!emptyWindow) return null;
  return (
    <p className="find-note">
      Nothing was found {spokenWindow(emptyWindow, zone)}. All time was searched instead.
    </p>
  );
}

export function NothingTyped({ wanted }: { wanted: Wanted }) {
  return (
    <div className="find-empty">
      <h2>What was said, found again</h2>
      <p>
        {hasFilters(wanted)
          ? "Type a few words to search within what you chose."
          : "Type a few words, or what it was about. A time helps: it is understood."}
      </p>
      <ul className="find-examples">
        {EXAMPLES.map((q) => (
          <li key={q}>
            <Link className="button" href={addressOf({ ...wanted, q })}>
              {q}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function NothingFound({ wanted }: { wanted: Wanted }) {
  const isNarrow = hasFilters(wanted);
  const all: Wanted = { ...wanted, channel: "", from: "", to: "" };
  return (
    <div className="find-empty">
      <h2>Nothing was found</h2>
      <p>
        Nothing that was said comes near <bdi>“{wanted.q}”</bdi>
        {isNarrow ? " in what you chose." : ". Try other words, or fewer."}
      </p>
      {isNarrow && (
        <Link className="button" href={addressOf(all)}>
          Search everything
        </Link>
      )}
    </div>
  );
}

export function Trouble({ problem, again }: { problem: Refused; again: () => void }) {
  return (
    <div className="find-trouble" role="alert">
      <p>
        {problem.message} {problem.remedy}
      </p>
      <button type="button" className="button" onClick={again}>
        Search again
      </button>
    </div>
  );
}
