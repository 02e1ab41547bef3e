// Which days the page tells about, as its address says it.
import { address } from "../api/client";

export type Preset = "30" | "90" | "year";
export type Range = { preset: Preset } | { preset: "custom"; from: string; to: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function rangeOf(search: string): Range {
  const given = new URLSearchParams(search);
  const from = given.get("from") ?? "";
  const to = given.get("to") ?? "";
  if (DAY.test(from) && DAY.test(to)) return { preset: "custom", from, to };
  const days = given.get("days");
  return { preset: days === "30" || days === "90" ? days : "year" };
}

export function addressOf(range: Range): string {
  if (range.preset === "custom") return address("/insights", { from: range.from, to: range.to });
  return address("/insights", { days: range.preset === "year" ? null : range.preset });
}
