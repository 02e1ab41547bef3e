// A day that somebody names: "2026-02-14", "14 February", "Feb 14 2026", "14.2.2026", "Tuesday",
// "3 days ago". Without a year it is the last such day.
import { isDay } from "../../continuous/address";
import { moved, weekday } from "../../insights/days";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "mon tue wed thu fri sat sun".split(" ");

const NAMES = [
  "january february march april may june july august september october november december",
  "monday tuesday wednesday thursday friday saturday sunday",
].map((all) => all.split(" "));

/** Which of the names a word is, or begins; −1 if none. */
function named(word: string, names: readonly string[], short: readonly string[]): number {
  const at = short.indexOf(word.slice(0, 3));
  return at !== -1 && names[at]?.startsWith(word) ? at : -1;
}

const month = (word: string): number => named(word, NAMES[0] ?? [], MONTHS) + 1;

const two = (number: number): string => String(number).padStart(2, "0");

/** The day, if there is such a one; without a year the last that is not after today. */
function dated(year: string | undefined, ofYear: number, day: number, today: string) {
  const ending = `${two(ofYear)}-${two(day)}`;
  const now = Number(today.slice(0, 4));
  const last = `${now}-${ending}` <= today ? now : now - 1;
  const found = `${year ?? last}-${ending}`;
  return isDay(found) ? found : null;
}

/** null if the words name no day. */
export function daySaid(words: string, today: string): string | null {
  const text = words.trim().toLowerCase().replace(/,/g, " ").replace(/\s+/g, " ");
  if (isDay(text)) return text;
  if (text === "today") return today;
  if (text === "yesterday") return moved(today, -1);
  const past = /^(\d{1,4}) days? ago$/.exec(text);
  if (past) return moved(today, -Number(past[1]));
  const dotted = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text);
  if (dotted) return dated(dotted[3], Number(dotted[2]), Number(dotted[1]), today);
  return writtenOut(text.replace(/^(?:on|last) /, ""), today);
}

function writtenOut(text: string, today: string): string | null {
  const begins = /^(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})(?: (\d{4}))?$/.exec(text);
  if (begins) return ofMonth(begins[2], begins[1], begins[3], today);
  const ends = /^([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(text);
  if (ends) return ofMonth(ends[1], ends[2], ends[3], today);
  const at = text.length < 3 ? -1 : named(text, NAMES[1] ?? [], WEEKDAYS);
  if (at === -1) return null;
  const ago = (weekday(today) - at + 6) % 7;
  return moved(today, -1 - ago);
}

function ofMonth(word = "", day = "", year: string | undefined, today: string): string | null {
  const ofYear = month(word);
  return ofYear === 0 ? null : dated(year, ofYear, Number(day), today);
}
