// Days, as 2026-11-10: how one walks through them, and how they are said.

const DAY = 86_400_000;

export const moved = (day: string, by: number): string =>
  new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10);

/** Monday is 0. */
export const weekday = (day: string): number => (new Date(day).getUTCDay() + 6) % 7;

/** From the first to the last, both included. */
export function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = moved(day, 1)) days.push(day);
  return days;
}

const shortDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const shortMonth = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

/** "10 Nov" */
export const dayLabel = (day: string): string => shortDay.format(Date.parse(day));
/** "Nov" */
export const monthLabel = (day: string): string => shortMonth.format(Date.parse(day));
