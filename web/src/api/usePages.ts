// A list that the server gives in pages: a new question drops the one before, what was there stays
// until the new is, and what has changed elsewhere is asked for again without a word.
import { useCallback, useEffect, useRef, useState } from "react";
import { get } from "./client";
import { asRefused, type Refused } from "./problem";

interface Page {
  nextCursor: string | null;
}

interface Answer<T> {
  key: string;
  items: readonly T[];
  nextCursor: string | null;
}

export interface Paged<T> {
  answer: Answer<T> | null;
  problem: Refused | null;
  /** What is wanted is not there yet. */
  isAsking: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  askAgain: () => void;
  /** One has changed here. */
  put: (item: T) => void;
}

/** The address with the cursor: the rest of the question is in the key. */
const after = (key: string, cursor: string): string =>
  `${key}${key.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;

/** `key` is the address of the first page, and `items` finds what a page holds. It is asked again
 * with each `version`: then as many come as were there before, at the least a page. */
export function usePages<P extends Page, T extends { id: string }>(
  key: string,
  version: number,
  items: (page: P) => readonly T[],
): Paged<T> {
  const [answer, setAnswer] = useState<Answer<T> | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ answer, items });
  latest.current = { answer, items };
  const asked = useRef(new AbortController());

  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is asked for
  useEffect(() => {
    const mine = new AbortController();
    asked.current = mine;
    setLoadingMore(false);
    const before = latest.current.answer;
    const most = before?.key === key ? before.items.length : 0;
    ask(key, most, latest.current.items, mine.signal).then(
      (next) => {
        if (mine.signal.aborted) return;
        setAnswer(next);
        setProblem(null);
      },
      (error: unknown) => {
        if (!mine.signal.aborted) setProblem(asRefused(error));
      },
    );
    return () => mine.abort();
  }, [key, version, attempt]);

  const loadMore = useCallback(() => {
    const { signal } = asked.current;
    if (!answer?.nextCursor || signal.aborted) return;
    setLoadingMore(true);
    get<P>(after(answer.key, answer.nextCursor), {}, signal).then(
      (page) => {
        if (signal.aborted) return;
        const all = [...answer.items, ...latest.current.items(page)];
        setAnswer({ ...answer, items: all, nextCursor: page.nextCursor });
        setLoadingMore(false);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setProblem(asRefused(error));
        setLoadingMore(false);
      },
    );
  }, [answer]);
  const askAgain = useCallback(() => setAttempt((number) => number + 1), []);
  const put = useCallback(
    (item: T) =>
      setAnswer(
        (before) =>
          before && {
            ...before,
            items: before.items.map((one) => (one.id === item.id ? item : one)),
          },
      ),
    [],
  );
  const isAsking = answer?.key !== key && !problem;
  return { answer, problem, isAsking, isLoadingMore, loadMore, askAgain, put };
}

async function ask<P extends Page, T>(
  key: string,
  most: number,
  items: (page: P) => readonly T[],
  signal: AbortSignal,
): Promise<Answer<T>> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const page: P = await get(cursor === null ? key : after(key, cursor), {}, signal);
    all.push(...items(page));
    cursor = page.nextCursor;
  } while (cursor !== null && all.length < most);
  return { key, items: all, nextCursor: cursor };
}
