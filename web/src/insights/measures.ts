// What can be counted, and how it is said.
import type { SaidOnDay } from "../api/shapes";
import { count, counted, dollars } from "../ui/numbers";
import { moved, weekday } from "./days";

export interface Amount {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

export type Measure = "messages" | "tokens" | "cost";

interface How {
  label: string;
  of: (amount: Amount) => number;
  /** With its unit. */
  say: (value: number) => string;
  /** For an axis. */
  tick: (value: number) => string;
  unit: string;
}

const short = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });
const small = (value: number): string => (value < 10_000 ? count(value) : short.format(value));

export const MEASURES: Readonly<Record<Measure, How>> = {
  messages: {
    label: "Messages",
    of: ({ messages }) => messages,
    say: (value) => counted(value, "message"),
    tick: small,
    unit: "messages",
  },
  tokens: {
    label: "Tokens",
    of: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    say: (value) => counted(value, "token"),
    tick: small,
    unit: "tokens",
  },
  cost: {
    label: "Cost",
    of: ({ cost }) => cost,
    say: dollars,
    tick: dollars,
    unit: "US dollars",
  },
};

/** A stretch of days with what was said in it. */
export interface Step extends Amount {
  first: string;
  last: string;
}

const WEEKLY = 100; // more bars than this cannot be told apart on a phone

export const isByWeek = (days: readonly string[]): boolean => days.length > WEEKLY;

const NOTHING: Amount = { messages: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

export const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce<Amount>(
    (total, one) => ({
      messages: total.messages + one.messages,
      inputTokens: total.inputTokens + one.inputTokens,
      outputTokens: total.outputTokens + one.outputTokens,
      cost: total.cost + one.cost,
    }),
    NOTHING,
  );

/** Every day, or every week from Monday on, also those on which nothing was said. */
export function steps(days: readonly string[], said: readonly SaidOnDay[]): Step[] {
  const bySaid = new Map(said.map((one) => [one.day, one]));
  const weeks = new Map<string, string[]>();
  for (const day of days) {
    const begin = isByWeek(days) ? moved(day, -weekday(day)) : day;
    weeks.set(begin, [...(weeks.get(begin) ?? []), day]);
  }
  return [...weeks.values()].map((some) => ({
    ...sum(some.map((day) => bySaid.get(day) ?? NOTHING)),
    first: some[0] ?? "",
    last: some.at(-1) ?? "",
  }));
}

/** A round number that is at least `value`: the top of an axis. */
export function top(value: number, isWhole: boolean): number {
  if (value <= 0) return isWhole ? 4 : 0.01;
  const size = 10 ** Math.floor(Math.log10(value));
  // Each of these, and each quarter of it, is short to write.
  const round = isWhole && size === 1 ? [4, 8, 12] : [1.2, 2, 4, 6, 8, 12];
  return round.map((one) => one * size).find((one) => one >= value) ?? value;
}
