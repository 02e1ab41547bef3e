// What a day's summary says: its sections, and behind each line where that was said.
import { Link } from "wouter";
import type { DayLoop, DayView, SummarySource } from "../api/shapes";
import { Markdown } from "../markdown/Markdown";
import { Footnote } from "../ui/Footnote";
import { Icon } from "../ui/Icon";
import { useMinute, useZone } from "../ui/Time";
import { dayWords, fullDay } from "../ui/times";
import { dayAddress } from "./address";
import { type Line, type Section, sectionsOf } from "./lines";

export function Lines({ view }: { view: DayView }) {
  let number = 1;
  let place = 0;
  const numbered = sectionsOf(view).map((section) => {
    const first = number;
    number += countOf(section);
    place += 1;
    return { section, first, place };
  });
  return numbered.map(({ section, first, place }) => (
    <section key={place} className="day-section" aria-label={section.heading || "Summary"}>
      {section.heading && <h3>{section.heading}</h3>}
      <Told view={view} lines={section.lines} first={first} />
    </section>
  ));
}

const countOf = ({ lines }: Section): number =>
  lines.reduce((sum, { sources }) => sum + sources.length, 0);

interface ToldProps {
  view: DayView;
  lines: readonly Line[];
  first: number;
}

/** Points as a list, prose as paragraphs, in the order they were written. */
function Told({ view, lines, first }: ToldProps) {
  const groups: { isPoint: boolean; told: { line: Line; number: number; place: number }[] }[] = [];
  let number = first;
  for (const [place, line] of lines.entries()) {
    const last = groups.at(-1);
    const told = { line, number, place }; // several lines may have the same words, and no sources
    if (last?.isPoint === line.isPoint) last.told.push(told);
    else groups.push({ isPoint: line.isPoint, told: [told] });
    number += line.sources.length;
  }
  return groups.map(({ isPoint, told }) =>
    isPoint ? (
      <ul key={told[0]?.place} className="day-points">
        {told.map(({ line, number: begin, place }) => (
          <li key={place} className={line.loop?.closed ? "day-done" : undefined}>
            <Words view={view} line={line} first={begin} />
          </li>
        ))}
      </ul>
    ) : (
      told.map(({ line, number: begin, place }) => (
        <div key={place} className="day-prose">
          <Words view={view} line={line} first={begin} />
        </div>
      ))
    ),
  );
}

function Words({ view, line, first }: { view: DayView; line: Line; first: number }) {
  return (
    <>
      <span className="day-words">
        <Markdown text={line.text} />
      </span>
      {line.sources.map((source, index) => (
        <Footnote
          key={`${source.messageId} ${source.kind} ${source.quote}`}
          number={first + index}
          conversationId={view.conversationId ?? ""}
          messageId={source.messageId}
          quote={source.quote}
          href={addressOf(view, line, source)}
        />
      ))}
      {line.loop && <Backlinks loop={line.loop} day={view.day} />}
    </>
  );
}

/** The day is known of what was said on this one, and of loops; of other messages it is asked. */
function addressOf(
  view: DayView,
  { loop }: Line,
  { messageId }: SummarySource,
): string | undefined {
  if (view.messages.some(({ id }) => id === messageId)) return dayAddress(view.day, messageId);
  if (loop?.since && loop.messageId === messageId) return dayAddress(loop.since, messageId);
  if (loop?.closed?.messageId === messageId) return dayAddress(loop.closed.day, messageId);
  return undefined;
}

/** "done", "answered", "decided". */
const ONE_WORD = /^[a-z]+$/;

/** Since when a loop is open, and when it was closed: each leads there. */
function Backlinks({ loop, day }: { loop: DayLoop; day: string }) {
  const now = useMinute();
  const zone = useZone();
  const { since, messageId, closed } = loop;
  return (
    <>
      {since !== null && since !== day && (
        <Link href={dayAddress(since, messageId)} className="day-since" title={fullDay(since)}>
          since {dayWords(since, now, zone)}
        </Link>
      )}
      {closed && (
        <Link
          href={dayAddress(closed.day, closed.messageId)}
          className="day-since done"
          title={fullDay(closed.day)}
        >
          <Icon name="check" size={13} />
          {ONE_WORD.test(closed.how) ? closed.how : "done"} {dayWords(closed.day, now, zone)}
        </Link>
      )}
    </>
  );
}
