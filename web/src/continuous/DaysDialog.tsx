// All days: a year of them as a calendar, and the latest as a list with how each began.
import { useLayoutEffect, useState } from "react";
import { Link } from "wouter";
import type { DayEntry } from "../api/shapes";
import { Calendar } from "../insights/Calendar";
import { moved } from "../insights/days";
import { inlineText } from "../markdown/plain";
import { Dialog } from "../ui/Dialog";
import { head } from "../ui/excerpt";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { dayWords, fullDay } from "../ui/times";
import { dayAddress, isDay, TODAY } from "./address";
import { DatePicker } from "./DatePicker";
import { useDays, useDaysSince } from "./days";

const YEAR = 364;
const SNIPPET = 110;

interface Props {
  day: string;
  today: string;
  onPick: (day: string) => void;
  onClose: () => void;
}

export function DaysDialog({ day, today, onPick, onClose }: Props) {
  // The calendar is pushed to its end, which it can be when the dialog is open.
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(true), []);
  return (
    <Dialog title="Days" className="day-dialog" onClose={onClose}>
      {/* biome-ignore lint/a11y: the links in it are what is clicked, by mouse or by keyboard */}
      <div onClick={(event) => (event.target as Element).closest("a[href]") && onClose()}>
        <nav className="day-quick" aria-label="Days to go to">
          <Link href={TODAY} className="button" data-first>
            Today
          </Link>
          <Link href={dayAddress(moved(today, -1))} className="button">
            Yesterday
          </Link>
          <DatePicker
            day={day}
            today={today}
            onPick={(wanted) => {
              onClose();
              onPick(wanted);
            }}
          />
        </nav>
        {isOpen && <Year today={today} day={day} />}
        <Recent day={day} today={today} />
      </div>
    </Dialog>
  );
}

function Year({ today, day }: { today: string; day: string }) {
  const [last, setLast] = useState(() => (isDay(day) && day < moved(today, -YEAR) ? day : today));
  const first = moved(last, -YEAR);
  const { days } = useDaysSince(first);
  const said = days
    .filter(({ dayLabel }) => dayLabel <= last)
    .map(({ dayLabel, messageCount }) => ({ day: dayLabel, messages: messageCount }));
  return (
    <section className="day-year" aria-label="A year, day by day">
      <Calendar first={first} last={last} said={said} current={day} address={dayAddress} />
      <div className="day-years">
        <button type="button" className="button quiet" onClick={() => setLast(moved(first, -1))}>
          The year before
        </button>
        {last < today && (
          <button type="button" className="button quiet" onClick={() => setLast(today)}>
            This year
          </button>
        )}
      </div>
    </section>
  );
}

function Recent({ day, today }: { day: string; today: string }) {
  const { days, isLoaded, problem, more } = useDays();
  const [isLoading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    await more?.();
    setLoading(false);
  };
  return (
    <section aria-labelledby="day-recent">
      <h3 id="day-recent">Recent days</h3>
      {!isLoaded && <Skeleton lines={6} label="Loading the days" />}
      {isLoaded && days.length === 0 && !problem && (
        <p className="soft">Each day on which something is said stands here.</p>
      )}
      <ul className="day-list">
        {days.map((one) => (
          <Entry key={one.dayLabel} entry={one} isCurrent={one.dayLabel === day} today={today} />
        ))}
      </ul>
      {problem && (
        <p className="talk-wrong" role="alert">
          {problem.message} {problem.remedy}
        </p>
      )}
      {more && (
        <button type="button" className="button" disabled={isLoading} onClick={() => void load()}>
          {isLoading ? "Loading more…" : "Load more"}
        </button>
      )}
    </section>
  );
}

interface EntryProps {
  entry: DayEntry;
  isCurrent: boolean;
  today: string;
}

function Entry({ entry, isCurrent, today }: EntryProps) {
  const { dayLabel, messageCount, summaryMarkdown } = entry;
  const words = dayWords(dayLabel, Date.parse(today), "UTC");
  const about = inlineText(summaryMarkdown.replace(/^#.*$/gm, ""));
  return (
    <li>
      <Link
        href={dayLabel === today ? TODAY : dayAddress(dayLabel)}
        className="day-entry"
        aria-current={isCurrent ? "page" : undefined}
        title={fullDay(dayLabel)}
      >
        <span className="day-entry-name">{words.charAt(0).toUpperCase() + words.slice(1)}</span>
        <span className="day-entry-count soft">{counted(messageCount, "message")}</span>
        {about && (
          <span className="day-entry-about soft" dir="auto">
            {head(about, SNIPPET)}
          </span>
        )}
      </Link>
    </li>
  );
}
