// How long to wait before the next try: longer each time, and never all pages at once.

const FIRST = 500;
const LONGEST = 15_000;

/** Milliseconds before try number `tries` (from 0), between half of the step and all of it. */
export function delay(tries: number, random: () => number = Math.random): number {
  const step = Math.min(LONGEST, FIRST * 2 ** Math.min(tries, 10));
  return Math.round(step * (0.5 + random() / 2));
}
