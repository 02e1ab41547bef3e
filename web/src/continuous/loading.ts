// A day, from the server: asked for again when its summary has changed, when the connection is
// back, when the next day has begun, and when its first message came.
import { useCallback, useEffect, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { DayView } from "../api/shapes";
import { onBegan, onSummary, showDay } from "../state/actions";
import { CONTINUOUS } from "../state/ids";
import { useStore } from "../state/store";
import { useIsLate } from "../ui/late";
import { useMinute, useZone } from "../ui/Time";
import { dayOf } from "../ui/times";

interface Loaded {
  /** Which day was asked for; empty is today. */
  key: string;
  view: DayView | null;
  problem: Refused | null;
}

export interface Loading extends Loaded {
  /** What is wanted is not there yet. */
  isLoading: boolean;
  again: () => void;
  /** A newer one came in answer to something else. */
  put: (view: DayView) => void;
}

const TODAY = "/api/continuous";
export const dayPath = (day: string): string => `${TODAY}/days/${encodeURIComponent(day)}`;

async function load(day: string, signal: AbortSignal): Promise<DayView> {
  if (!day) return get<DayView>(TODAY, {}, signal);
  try {
    return await get<DayView>(dayPath(day), {}, signal);
  } catch (error) {
    // Today begins with its first message, and can be looked at before.
    if (asRefused(error).status !== 404) throw error;
    const today = await get<DayView>(TODAY, {}, signal);
    if (today.day !== day) throw error;
    return today;
  }
}

/** `wanted` is a day, or null for today. What was there stays until the new is. */
export function useDay(wanted: string | null): Loading {
  const key = wanted ?? "";
  const [loaded, setLoaded] = useState<Loaded>({ key: "-", view: null, problem: null });
  const [version, setVersion] = useState(0);
  const again = useCallback(() => setVersion((number) => number + 1), []);
  const put = useCallback(
    (view: DayView) => {
      setLoaded({ key, view, problem: null });
      void showDay(view);
    },
    [key],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is asked for
  useEffect(() => {
    const asked = new AbortController();
    load(key, asked.signal).then(
      (view) => asked.signal.aborted || put(view),
      (error: unknown) => {
        if (asked.signal.aborted) return;
        const problem = asRefused(error);
        setLoaded((before) => ({ key, view: before.key === key ? before.view : null, problem }));
      },
    );
    return () => asked.abort();
  }, [key, version, put]);
  // With the first message ever it has got an id.
  useEffect(
    () =>
      onBegan((place, conversationId) => {
        if (place !== CONTINUOUS) return;
        setLoaded(({ view, ...rest }) => ({ ...rest, view: view && { ...view, conversationId } }));
        again();
      }),
    [again],
  );
  const isLoading = loaded.key !== key;
  useReasons(isLoading ? null : loaded.view, again);
  const isLate = useIsLate(isLoading ? key : null);
  return { ...loaded, view: isLate ? null : loaded.view, isLoading, again, put };
}

/** Asks again whenever the day may have changed. */
function useReasons(view: DayView | null, again: () => void): void {
  const day = view?.day;
  useEffect(
    () =>
      onSummary((updated) => {
        if (updated === day) again();
      }),
    [day, again],
  );

  const isOpen = useStore((state) => state.connection.kind === "open");
  const [wasOpen, setWasOpen] = useState(isOpen);
  useEffect(() => {
    if (isOpen === wasOpen) return;
    setWasOpen(isOpen);
    if (isOpen) again();
  }, [isOpen, wasOpen, again]);

  const now = useMinute();
  const zone = useZone();
  const isOver = view !== null && dayOf(now, zone) > view.today;
  useEffect(() => {
    if (isOver) again();
  }, [isOver, again]);

  const isNews = useIsNews(view);
  useEffect(() => {
    if (isNews) again();
  }, [isNews, again]);
}

/** Something was said that the day does not know of: its first message, or that of the next day. */
function useIsNews(view: DayView | null): boolean {
  const id = view?.conversationId ?? null;
  const last = useStore((state) => {
    const transcript = id === null ? undefined : state.transcripts[id];
    return transcript?.hasLater ? undefined : transcript?.messages.at(-1);
  });
  if (!view || !last || last.turnNumber === 0 || view.nextDay !== null) return false;
  const known = view.messages.at(-1)?.turnNumber;
  if (known === undefined) return dayOf(last.timestamp, view.timezone) >= view.day;
  return view.day < view.today && last.turnNumber > known;
}
