// Asking for what was said on some days: a new question drops the one before.
import { useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { ContinuousPage } from "../api/shapes";
import { queryOf, type Wanted } from "./wanted";

const ON_A_PAGE = 20;

export interface Asking {
  /** The last answer there is: it stays until the next one comes. */
  page: ContinuousPage | null;
  problem: Refused | null;
  isAsking: boolean;
  loadMore: () => void;
  again: () => void;
}

export function useFound(wanted: Wanted, day: string): Asking {
  const [page, setPage] = useState<ContinuousPage | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(new AbortController());
  const { q, scope } = wanted;
  const about = scope === "day" ? day : "";

  const ask = (cursor: string | null, then: (next: ContinuousPage) => void) => {
    const { signal } = asked.current;
    const query = { ...queryOf({ q, scope }, about), limit: ON_A_PAGE, cursor };
    setAsking(true);
    setProblem(null);
    get<ContinuousPage>("/api/continuous/search", query, signal)
      .then(then, (error: unknown) => signal.aborted || setProblem(asRefused(error)))
      .finally(() => signal.aborted || setAsking(false));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` asks for just these
  useEffect(() => {
    const mine = new AbortController();
    asked.current = mine;
    ask(null, setPage);
    return () => mine.abort();
  }, [q, scope, about, attempt]);

  const loadMore = () => {
    if (!page?.nextCursor || isAsking) return;
    ask(page.nextCursor, (next) =>
      setPage({ ...next, results: [...page.results, ...next.results] }),
    );
  };
  return { page, problem, isAsking, loadMore, again: () => setAttempt((number) => number + 1) };
}
