// The days there are, newest first, as far as somebody has looked.
import { useCallback, useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { DayEntry, DayPage } from "../api/shapes";

const RECENT = 30;
/** For the calendar, which shows a year of them. */
const MANY = 100;

const ask = (limit: number, cursor: string | null, signal?: AbortSignal): Promise<DayPage> =>
  get<DayPage>("/api/continuous/days", { limit, cursor }, signal);

export interface Days {
  days: readonly DayEntry[];
  isLoaded: boolean;
  problem: Refused | null;
  /** null when there are no more; else whether more came. */
  more: (() => Promise<boolean>) | null;
}

export function useDays(): Days {
  const [days, setDays] = useState<readonly DayEntry[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState<Refused | null>(null);
  const ended = useRef(new AbortController());
  const load = useCallback(async (from: string | null) => {
    const { signal } = ended.current;
    try {
      const page = await ask(RECENT, from, signal);
      setDays((before) => (from === null ? page.days : [...before, ...page.days]));
      setCursor(page.nextCursor);
      setProblem(null);
      return true;
    } catch (error) {
      if (!signal.aborted) setProblem(asRefused(error));
      return false;
    } finally {
      if (!signal.aborted) setLoaded(true);
    }
  }, []);
  useEffect(() => {
    const mine = new AbortController();
    ended.current = mine;
    void load(null);
    return () => mine.abort();
  }, [load]);
  return { days, isLoaded, problem, more: cursor === null ? null : () => load(cursor) };
}

/** The days since one, for a calendar; they come a hundred at a time. */
export function useDaysSince(first: string): { days: readonly DayEntry[]; isWhole: boolean } {
  const [days, setDays] = useState<readonly DayEntry[]>([]);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const load = async () => {
      let cursor: string | null = null;
      let all: readonly DayEntry[] = [];
      do {
        const page: DayPage = await ask(MANY, cursor, ended.signal);
        all = [...all, ...page.days];
        setDays(all.filter(({ dayLabel }) => dayLabel >= first));
        cursor = page.nextCursor;
      } while (cursor !== null && (all.at(-1)?.dayLabel ?? "") >= first);
      setWhole(true);
    };
    // Without it there is still the list beside it, which says what is wrong.
    load().catch(() => ended.signal.aborted || setWhole(true));
    return () => ended.abort();
  }, [first]);
  return { days, isWhole };
}

/** The days beside one on which nothing was said. Throws `Refused`. */
export async function daysBeside(
  day: string,
  signal: AbortSignal,
): Promise<{ previousDay: string | null; nextDay: string | null }> {
  let nextDay: string | null = null;
  let cursor: string | null = null;
  do {
    const page: DayPage = await ask(MANY, cursor, signal);
    for (const { dayLabel } of page.days) {
      if (dayLabel < day) return { previousDay: dayLabel, nextDay };
      nextDay = dayLabel;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { previousDay: null, nextDay };
}
