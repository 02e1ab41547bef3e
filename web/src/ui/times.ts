// Times as people say them, in the user's time zone; the whole date is for the hover.

type When = string | number | Date;

const LANGUAGE = "en-GB";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A zone that the browser does not know is read as the machine's own. */
function format(zone: string | undefined, options: Intl.DateTimeFormatOptions) {
  const key = `${zone} ${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    try {
      found = new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone: zone });
    } catch {
      found = new Intl.DateTimeFormat(LANGUAGE, options);
    }
    formats.set(key, found);
  }
  return found;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "14:05" */
export const clockTime = (at: When, zone?: string): string =>
  format(zone, CLOCK).format(new Date(at));

/** The day as the API writes it: "2026-11-10". */
export function dayOf(at: When, zone?: string): string {
  const parts = format(zone, { year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(
    new Date(at),
  );
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** How many days one day is before another; both as `dayOf` writes them. */
const daysBetween = (earlier: string, later: string): number =>
  Math.round((Date.parse(later) - Date.parse(earlier)) / DAY);

/** A day in words, from "2026-11-10": "today", "yesterday", "Tuesday", "10 November", and with
 * the year when it is another. */
export function dayWords(day: string, now: When = Date.now(), zone?: string): string {
  const today = dayOf(now, zone);
  const past = daysBetween(day, today);
  if (past === 0) return "today";
  if (past === 1) return "yesterday";
  if (past === -1) return "tomorrow";
  const date = Date.parse(day);
  if (past > 1 && past < 7) return format("UTC", { weekday: "long" }).format(date);
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: "numeric" } as const);
  return format("UTC", { day: "numeric", month: "long", ...year }).format(date);
}

/** A day in full, from "2026-11-10": "Tuesday, 10 November 2026". Put together here, because
 * browsers disagree about the comma. */
export function fullDay(day: string): string {
  const date = Date.parse(day);
  const weekday = format("UTC", { weekday: "long" }).format(date);
  const rest = format("UTC", { day: "numeric", month: "long", year: "numeric" }).format(date);
  return `${weekday}, ${rest}`;
}

/** A day where there is little room, from "2026-11-10": "Tue 10 Nov", and with the year when it is
 * not that of `today`. */
export function shortDay(day: string, today: string): string {
  const date = Date.parse(day);
  const weekday = format("UTC", { weekday: "short" }).format(date);
  const rest = format("UTC", { day: "numeric", month: "short" }).format(date);
  const year = day.slice(0, 4);
  return `${weekday} ${rest}${year === today.slice(0, 4) ? "" : ` ${year}`}`;
}

/** "today, 14:05", "yesterday, 14:05", "Tuesday, 14:05", "10 November, 14:05". */
export const said = (at: When, now: When = Date.now(), zone?: string): string =>
  `${dayWords(dayOf(at, zone), now, zone)}, ${clockTime(at, zone)}`;

/** The whole date: "Tuesday, 10 November 2026, 14:05:33 CET". */
export function fullTime(at: When, zone?: string): string {
  const clock = format(zone, { ...CLOCK, second: "2-digit", timeZoneName: "short" });
  return `${fullDay(dayOf(at, zone))}, ${clock.format(new Date(at))}`;
}

/** How long ago: "just now", "3 min ago", "2 h ago", "yesterday", "Tuesday", "10 November". */
export function ago(at: When, now: When = Date.now(), zone?: string): string {
  const past = Number(new Date(now)) - Number(new Date(at));
  if (past < MINUTE && past > -MINUTE) return "just now";
  if (past >= 0 && past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  const day = dayOf(at, zone);
  if (past >= 0 && past < DAY && day === dayOf(now, zone))
    return `${Math.floor(past / HOUR)} h ago`;
  return dayWords(day, now, zone);
}

/** A length of time: "0.8 s", "12 s", "3 min 5 s". */
export function lasting(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const rest = Math.round(seconds) % 60;
  return `${Math.floor(Math.round(seconds) / 60)} min${rest ? ` ${rest} s` : ""}`;
}
