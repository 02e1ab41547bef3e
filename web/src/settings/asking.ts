// What a part of the settings asks the server for by itself, and what people do there.
import { useCallback, useEffect, useRef, useState } from "react";
import { asRefused, type Refused } from "../api/problem";

/** What was asked for last: it stays while it is asked for again. */
export interface Asked<T> {
  value: T | null;
  problem: Refused | null;
  again: () => void;
}

export function useAsked<T>(ask: () => Promise<T>): Asked<T> {
  const [answer, setAnswer] = useState<{ value: T | null; problem: Refused | null }>({
    value: null,
    problem: null,
  });
  const turn = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const again = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    latest.current().then(
      (value) => mine === turn.current && setAnswer({ value, problem: null }),
      (error) =>
        mine === turn.current && setAnswer(({ value }) => ({ value, problem: asRefused(error) })),
    );
  }, []);
  useEffect(() => {
    again();
    return () => {
      turn.current += 1;
    };
  }, [again]);
  return { ...answer, again };
}

/** Something that is done at the press of a button: whether it is under way, and what went wrong. */
export function useDoing(): {
  isBusy: boolean;
  problem: Refused | null;
  run: (work: () => Promise<void>) => Promise<boolean>;
} {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Refused | null>(null);
  const run = useCallback(async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(asRefused(error));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run };
}
