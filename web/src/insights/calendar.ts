// The calendar: which days stand where, how strongly they are coloured, and how keys walk them.
import { counted } from "../ui/numbers";
import { fullDay } from "../ui/times";
import { daysFrom, moved, weekday } from "./days";

export const LEVELS = 5;

/** How much was said on a day. */
export interface Said {
  day: string;
  messages: number;
}

/** How strongly a day is coloured, from 0 (nothing was said) to 4: quarters of the different
 * numbers there are, so that one long day does not make all others pale. */
export function levels(said: readonly Said[]): (messages: number) => number {
  const numbers = [...new Set(said.map(({ messages }) => messages))];
  return (messages) => {
    const rank = numbers.filter((number) => number <= messages).length;
    return messages === 0 ? 0 : Math.ceil(((LEVELS - 1) * rank) / numbers.length);
  };
}

export const label = (day: string, messages: number): string =>
  `${messages === 0 ? "No messages" : counted(messages, "message")} on ${fullDay(day)}`;

/** Columns of seven days from Monday on; where there is no day of the stretch, null. */
export function columns(first: string, last: string): (string | null)[][] {
  const begin = moved(first, -weekday(first));
  const end = moved(last, 6 - weekday(last));
  const days = daysFrom(begin, end);
  return Array.from({ length: days.length / 7 }, (_, week) =>
    days.slice(7 * week, 7 * week + 7).map((day) => (day < first || day > last ? null : day)),
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: -7,
  ArrowRight: 7,
  PageUp: -28,
  PageDown: 28,
};

/** The day a key leads to; null leaves the key alone. */
export function walked(key: string, day: string, first: string, last: string): string | null {
  if (key === "Home") return first;
  if (key === "End") return last;
  const step = STEPS[key];
  if (step === undefined) return null;
  const next = moved(day, step);
  if (next < first) return Math.abs(step) > 7 ? first : day;
  if (next > last) return Math.abs(step) > 7 ? last : day;
  return next;
}
