// A time on the page: as people say it, exact on hover, and true as the minutes pass.
import { useSyncExternalStore } from "react";
import { useStore } from "../state/store";
import { ago, clockTime, fullTime, said } from "./times";

const MINUTE = 60_000;
const WAYS = { ago, said, clock: (at: string, _now: number, zone?: string) => clockTime(at, zone) };

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
let minute = Date.now();

function tick() {
  minute = Date.now();
  for (const listener of listeners) listener();
}

/** One clock for all times that are shown; it rests while none is. */
function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    ticking = setInterval(tick, MINUTE);
    document.addEventListener("visibilitychange", tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    document.removeEventListener("visibilitychange", tick);
  };
}

/** Now, as the clock of the shown times has it: milliseconds, new each minute. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => minute);

/** The user's time zone. */
export const useZone = (): string | undefined => useStore((state) => state.me?.timezone);

export function Time({ at, as = "said" }: { at: string; as?: keyof typeof WAYS }) {
  const zone = useZone();
  // What is newer than the last tick was made after it: then it is as late as itself.
  const now = Math.max(useMinute(), Date.parse(at) || 0);
  return (
    <time dateTime={at} title={fullTime(at, zone)}>
      {WAYS[as](at, now, zone)}
    </time>
  );
}
