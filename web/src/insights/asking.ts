// Asking the server for the days that are wanted, and for the year that ends with them, which the
// calendar shows.
import { useCallback, useEffect, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { Insights } from "../api/shapes";
import { moved } from "./days";
import { addressOf, type Range } from "./range";

export interface Told {
  range: Range;
  year: Insights;
  /** What is told about the range itself. */
  chosen: Insights;
}

async function ask(range: Range, signal: AbortSignal): Promise<Told> {
  const to = range.preset === "custom" ? range.to : null;
  const year = await get<Insights>("/api/insights", { to }, signal);
  if (range.preset === "year") return { range, year, chosen: year };
  // Which day today is, the server knows: days are those of the user's time zone.
  const from = range.preset === "custom" ? range.from : moved(year.to, 1 - Number(range.preset));
  return { range, year, chosen: await get("/api/insights", { from, to: year.to }, signal) };
}

export function useInsights(range: Range) {
  const [told, setTold] = useState<Told | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  const [attempt, setAttempt] = useState(0);
  const key = addressOf(range);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is what `range` says
  useEffect(() => {
    const asked = new AbortController();
    ask(range, asked.signal)
      .then((answer) => {
        setTold(answer);
        setProblem(null);
      })
      .catch((error: unknown) => {
        if (!asked.signal.aborted) setProblem(asRefused(error));
      });
    return () => asked.abort();
  }, [key, attempt]);

  const askAgain = useCallback(() => setAttempt((number) => number + 1), []);
  return { told, problem, askAgain };
}
