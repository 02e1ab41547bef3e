// Asking the server: a new question drops the one before, and its answer, if it comes too late.
import { useCallback, useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { SearchPage } from "../api/shapes";
import { useStore } from "../state/store";
import { leftBehind } from "./returning";
import { addressOf, hasWords, parametersOf, type Wanted } from "./wanted";

const ON_A_PAGE = 20;

export interface Answer {
  /** The question it answers. */
  wanted: Wanted;
  /** With the results of all pages that were loaded so far. */
  page: SearchPage;
}

export interface Asking {
  /** The last answer there is: it stays until the next one comes. */
  answer: Answer | null;
  problem: Refused | null;
  isAsking: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  askAgain: () => void;
}

const ask = (wanted: Wanted, cursor: string | null, signal: AbortSignal): Promise<SearchPage> =>
  // The parts of the scores cost next to nothing, and are there when somebody wants them.
  get("/api/search", { ...parametersOf(wanted), limit: ON_A_PAGE, explain: true, cursor }, signal);

/** The first page, and then those that follow. */
function joined(before: SearchPage, next: SearchPage): SearchPage {
  return { ...before, nextCursor: next.nextCursor, results: [...before.results, ...next.results] };
}

export function useAnswer(wanted: Wanted): Asking {
  const key = addressOf(wanted);
  const [answer, setAnswer] = useState<Answer | null>(() => leftBehind(key));
  const [problem, setProblem] = useState<Refused | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(new AbortController());
  const answered = useRef(answer ? `${key} 0` : "");
  const latest = useRef(wanted);
  latest.current = wanted;
  const failed = useRef(problem);
  failed.current = problem;

  useEffect(() => {
    const question = `${key} ${attempt}`;
    if (answered.current === question) return;
    const mine = new AbortController();
    asked.current = mine;
    setIsLoadingMore(false);
    setProblem(null);
    if (!hasWords(latest.current)) {
      setAnswer(null);
      setIsAsking(false);
      return;
    }
    const current = latest.current;
    setIsAsking(true);
    ask(current, null, mine.signal)
      .then((page) => {
        if (mine.signal.aborted) return;
        answered.current = question;
        setAnswer({ wanted: current, page });
        setIsAsking(false);
      })
      .catch((error: unknown) => {
        if (mine.signal.aborted) return;
        setProblem(asRefused(error));
        setIsAsking(false);
      });
    return () => mine.abort();
  }, [key, attempt]);

  const loadMore = useCallback(() => {
    const cursor = answer?.page.nextCursor;
    const { signal } = asked.current;
    if (!answer || !cursor || signal.aborted) return;
    setIsLoadingMore(true);
    ask(answer.wanted, cursor, signal)
      .then((next) => {
        if (signal.aborted) return;
        setAnswer({ ...answer, page: joined(answer.page, next) });
        setProblem(null);
        setIsLoadingMore(false);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        setProblem(asRefused(error));
        setIsLoadingMore(false);
      });
  }, [answer]);

  // What failed because nobody could answer is asked again when somebody can.
  const isAnswering = useStore(
    ({ connection, health }) => connection.kind === "open" && health?.status !== "rebuilding",
  );
  useEffect(() => {
    if (isAnswering) setAttempt((number) => (failed.current ? number + 1 : number));
  }, [isAnswering]);

  const askAgain = useCallback(() => setAttempt((number) => number + 1), []);
  return { answer, problem, isAsking, isLoadingMore, loadMore, askAgain };
}
