// What is looked for among the days, as the address of the page says it.
import { address } from "../api/client";
import { dayAddress, TODAY } from "./address";

export const SCOPES = ["day", "recent", "everything"] as const;
export type Scope = (typeof SCOPES)[number];

/** Days of "recent". */
export const RECENT = 14;

export interface Wanted {
  q: string;
  scope: Scope;
}

const isScope = (text: string | null): text is Scope => SCOPES.some((one) => one === text);

export function wantedOf(search: string): Wanted {
  const given = new URLSearchParams(search);
  const scope = given.get("scope");
  return { q: given.get("q") ?? "", scope: isScope(scope) ? scope : "day" };
}

/** `day` is the one in the address; null at today's. */
export function addressOf(day: string | null, { q, scope }: Wanted): string {
  const wanted = { q: q.trim(), scope: scope === "day" ? null : scope };
  return address(day === null ? TODAY : dayAddress(day), wanted);
}

/** What the API is asked; `day` is the day that is shown. */
export function queryOf({ q, scope }: Wanted, day: string) {
  if (scope === "day") return { query: q, day };
  return { query: q, recencyDays: scope === "recent" ? RECENT : 0 };
}
