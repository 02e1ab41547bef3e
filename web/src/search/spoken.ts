// A time window as people say it: "in March 2026", "on Tuesday 10 November 2026".
import type { TimeWindow } from "../api/shapes";
import { clockTime, dayOf, fullDay } from "../ui/times";

const HOUR = 3_600_000;

const isMidnight = (moment: Date, zone?: string): boolean =>
  clockTime(moment, zone) === "00:00" && moment.getTime() % 60_000 === 0;

function point(moment: Date, zone?: string): string {
  const day = fullDay(dayOf(moment, zone));
  return isMidnight(moment, zone) ? day : `${day}, ${clockTime(moment, zone)}`;
}

/** Whole days, from the first to the last. `next` is the day after the last. */
function days(first: string, last: string, next: string): string {
  if (first === last) return `on ${fullDay(first)}`;
  const isSame = (length: number) => first.slice(0, length) === last.slice(0, length);
  const begins = (end: string) => first.endsWith(end) && next.endsWith(end);
  if (begins("-01-01") && isSame(4)) return `in ${first.slice(0, 4)}`;
  // "Sunday 1 March 2026" without the day.
  if (begins("-01") && isSame(7)) return `in ${fullDay(first).split(" ").slice(2).join(" ")}`;
  return `from ${spokenDays(first, last)}`;
}

/** "9 to 15 November 2026": what both have in common is said once, and weekdays only of one day. */
export function spokenDays(first: string, last: string): string {
  const begin = dateOf(first).split(" ");
  const isSame = (length: number) => first.slice(0, length) === last.slice(0, length);
  const said = isSame(7) ? 1 : isSame(4) ? 2 : 3;
  return `${begin.slice(0, said).join(" ")} to ${dateOf(last)}`;
}

/** "9 November 2026" */
const dateOf = (day: string): string => fullDay(day).split(", ")[1] ?? day;

/** The end of a window is exclusive; days are those of the zone. */
export function spokenWindow({ from, to }: TimeWindow, zone?: string): string {
  const first = from ? new Date(from) : null;
  const end = to ? new Date(to) : null;
  if (!first) return end ? `before ${point(end, zone)}` : "at any time";
  if (!end) return `since ${point(first, zone)}`;
  if (!isMidnight(first, zone) || !isMidnight(end, zone))
    return `from ${point(first, zone)} to ${point(end, zone)}`;
  const last = new Date(end.getTime() - HOUR); // on the last day, whatever the clocks do
  return days(dayOf(first, zone), dayOf(last, zone), dayOf(end, zone));
}
