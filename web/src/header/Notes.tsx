// The notes of a conversation: what was said in fewer words, each line with where it comes from.
import { apiPath } from "../api/paths";
import type { ConversationDigest, ConversationMeta, DigestPart, Source } from "../api/shapes";
import { useFetched } from "../api/useFetched";
import { inlineText } from "../markdown/plain";
import { Footnote } from "../ui/Footnote";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import { Skeleton } from "../ui/Skeleton";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";

export function Notes({ conversation }: { conversation: ConversationMeta }) {
  return (
    <Popover
      label="Notes"
      button={
        <>
          <Icon name="notes" />
          Notes
        </>
      }
    >
      {() => <Told conversation={conversation} />}
    </Popover>
  );
}

function Told({ conversation }: { conversation: ConversationMeta }) {
  const { id, turnCount, abbreviation, needsAbbreviation, title } = conversation;
  // Open notes change with the conversation.
  const version = JSON.stringify([turnCount, abbreviation, needsAbbreviation, title]);
  const { data, problem, again } = useFetched<ConversationDigest>(apiPath(id, "digest"), version);
  if (problem && !data) {
    return (
      <p role="alert">
        {problem.message} {problem.remedy}{" "}
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </p>
    );
  }
  if (!data) return <Skeleton lines={4} label="Loading the notes" />;
  return <Digest id={id} digest={data} />;
}

function Digest({ id, digest }: { id: string; digest: ConversationDigest }) {
  const { abbreviation, rollingSummary, titleSources } = digest;
  if (!abbreviation && !rollingSummary) {
    return (
      <p className="header-empty soft">
        Notes appear when the conversation has been quiet for a while.
      </p>
    );
  }
  // The numbers run through all of the notes, as on a page.
  let before = 0;
  const after = (sources: number) => {
    const first = before + 1;
    before += sources;
    return first;
  };
  return (
    <>
      {abbreviation && (
        <Part id={id} heading="In short" part={abbreviation} first={after(countOf(abbreviation))} />
      )}
      {rollingSummary && (
        <Part
          id={id}
          heading="So far"
          part={rollingSummary}
          first={after(countOf(rollingSummary))}
        />
      )}
      {titleSources.length > 0 && (
        <p className="header-made soft">
          The title was made from
          <Marks id={id} sources={titleSources} first={after(titleSources.length)} />
        </p>
      )}
    </>
  );
}

const countOf = (part: DigestPart): number =>
  part.points.reduce((sum, point) => sum + point.sources.length, 0);

interface PartProps {
  id: string;
  heading: string;
  part: DigestPart;
  first: number;
}

function Part({ id, heading, part, first }: PartProps) {
  let next = first;
  return (
    <section>
      <h2 className="header-panel-title">{heading}</h2>
      {part.points.length === 0 && (
        <p dir="auto">
          <Visible text={part.text} />
        </p>
      )}
      <ul className="header-evidence">
        {part.points.map((point) => {
          const begin = next;
          next += point.sources.length;
          return (
            <li key={`${begin} ${point.text}`} dir="auto">
              <Visible text={inlineText(point.text)} />
              <Marks id={id} sources={point.sources} first={begin} />
            </li>
          );
        })}
      </ul>
      <p className="header-made soft">
        Up to turn {part.through}, made {part.by === "offline" ? "offline" : `by ${part.by}`}{" "}
        <Time at={part.made} />
      </p>
    </section>
  );
}

interface MarksProps {
  id: string;
  sources: readonly Source[];
  first: number;
}

function Marks({ id, sources, first }: MarksProps) {
  return sources.map(({ messageId, quote }, index) => (
    <Footnote
      key={`${messageId} ${quote}`}
      number={first + index}
      conversationId={id}
      messageId={messageId}
      quote={quote}
    />
  ));
}
