// What was found among the days, best first. Each opens at the very message, or at the summary.
import { useRef } from "react";
import { Link } from "wouter";
import type { FoundMessage, FoundSummary } from "../api/shapes";
import { plainSnippet } from "../markdown/snippet";
import { Marked } from "../search/Marked";
import { spokenWindow } from "../search/spoken";
import { HIT, useWalking } from "../search/walking";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { useMinute, useZone } from "../ui/Time";
import { clockTime, dayWords, fullDay } from "../ui/times";
import { dayAddress, TODAY } from "./address";
import { useFound } from "./asking";
import { SUMMARY } from "./Summary";
import { addressOf, type Wanted } from "./wanted";
import "../search/search.css";

type One = FoundMessage | FoundSummary;

interface Props {
  /** The day in the address; null at today's. */
  place: string | null;
  day: string;
  wanted: Wanted;
}

export function Found({ place, day, wanted }: Props) {
  const { page, problem, isAsking, loadMore, again } = useFound(wanted, day);
  const list = useRef<HTMLOListElement>(null);
  const zone = useZone();
  useWalking(list);
  const isNothing = page?.results.length === 0 && !isAsking;
  return (
    <section className="day-found" aria-label="Search results" aria-busy={isAsking}>
      <div className="day-found-head">
        <p className="day-found-count soft" role="status">
          {page && !isNothing && `${counted(page.results.length, "result")}, best first`}
          {isNothing && "Nothing was found."}
        </p>
        <Link className="button quiet" href={addressOf(place, { q: "", scope: "day" })}>
          <Icon name="close" size={16} />
          Close the search
        </Link>
      </div>
      {problem && (
        <div className="find-trouble" role="alert">
          <p>
            {problem.message} {problem.remedy}
          </p>
          <button type="button" className="button" onClick={again}>
            Search again
          </button>
        </div>
      )}
      {page?.emptyWindow && (
        <p>
          Nothing was found {spokenWindow(page.emptyWindow, zone)}. All time was searched instead.
        </p>
      )}
      {!page && !problem && <Skeleton lines={6} label="Searching" />}
      {isNothing && wanted.scope !== "everything" && (
        <p>
          <Link className="button" href={addressOf(place, { q: wanted.q, scope: "everything" })}>
            Search everything
          </Link>
        </p>
      )}
      <ol ref={list} className="find-results" aria-label="Results">
        {page?.results.map((one) => (
          <Result
            key={`${one.kind} ${one.kind === "message" ? one.messageId : one.dayLabel}`}
            one={one}
          />
        ))}
      </ol>
      {page?.nextCursor && (
        <button type="button" className="button" disabled={isAsking} onClick={loadMore}>
          {isAsking ? "Loading more…" : "More results"}
        </button>
      )}
    </section>
  );
}

/** Where it stands: at the very message, or at the summary of the day. */
function addressFor(one: One): string {
  if (one.kind === "summary") return dayAddress(one.dayLabel, SUMMARY);
  const message = one.snippetMessageId;
  return one.dayLabel ? dayAddress(one.dayLabel, message) : `${TODAY}#${message}`;
}

function Result({ one }: { one: One }) {
  const now = useMinute();
  const zone = useZone();
  const isMessage = one.kind === "message";
  const day = one.dayLabel ?? "";
  const snippet = isMessage
    ? { text: one.snippet, ranges: one.highlights }
    : plainSnippet(one.summarySnippet, one.highlights);
  return (
    <li className="find-result">
      <Link href={addressFor(one)} className={HIT}>
        <span className="find-head">
          <Icon name={isMessage ? "message" : "notes"} size={16} />
          <span className="find-title" title={day && fullDay(day)}>
            {isMessage ? "Message" : "Summary"}
            {day && ` · ${dayWords(day, now, zone)}`}
            {isMessage && `, ${clockTime(one.timestamp, zone)}`}
          </span>
          <span className="find-when soft">score {one.score.toFixed(2)}</span>
        </span>
        <span className="find-snippet" dir="auto">
          <Marked text={snippet.text} ranges={snippet.ranges} />
        </span>
        <span className="day-hit-foot">
          {isMessage && one.coveredBySummary && (
            <span className="soft">covered by the summary</span>
          )}
          <span className="day-open">Open</span>
        </span>
      </Link>
    </li>
  );
}
