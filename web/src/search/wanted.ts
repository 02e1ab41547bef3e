// What is looked for, as the address of the page says it.
import { address } from "../api/client";

const KINDS = ["conversation", "message", "external"] as const;
export type Kind = (typeof KINDS)[number];

export interface Wanted {
  q: string;
  kind: Kind;
  channel: string;
  /** Days, as 2026-02-14, both included; empty is no limit. */
  from: string;
  to: string;
  /** A time in the words is taken for mere words. */
  isAllTime: boolean;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayOf = (text: string | null): string => (text && DAY.test(text) ? text : "");

/** Reads `?q=…&channel=…`; `day` is short for `from` and `to`. */
export function wantedOf(search: string): Wanted {
  const given = new URLSearchParams(search);
  const day = dayOf(given.get("day"));
  return {
    q: given.get("q") ?? "",
    kind: KINDS.find((kind) => kind === given.get("kind")) ?? "conversation",
    channel: given.get("channel") ?? "",
    from: day || dayOf(given.get("from")),
    to: day || dayOf(given.get("to")),
    isAllTime: given.get("ignoreTimePhrases") === "true",
  };
}

/** The parameters that the address and the API share. Defaults are left out. */
export const parametersOf = (wanted: Wanted) => ({
  q: wanted.q,
  kind: wanted.kind === "conversation" ? null : wanted.kind,
  channel: wanted.channel,
  from: wanted.from,
  to: wanted.to,
  ignoreTimePhrases: wanted.isAllTime || null,
});

export const addressOf = (wanted: Wanted): string => address("/search", parametersOf(wanted));

export const hasWords = ({ q }: Wanted): boolean => q.trim() !== "";
export const hasFilters = ({ channel, from, to }: Wanted): boolean =>
  Boolean(channel || from || to);
