// What was on the screen when a result was opened: Back shows the same results at the same place.
import type { Answer } from "./asking";

const LASTS = 10 * 60_000;

interface Left {
  key: string;
  answer: Answer;
  /** Which result was opened, by its place. */
  opened: number;
  scrolled: number;
  at: number;
}

let left: Left | null = null;

export function leave(key: string, answer: Answer, opened: number, scrolled: number): void {
  left = { key, answer, opened, scrolled, at: Date.now() };
}

const here = (key: string): Left | null =>
  left !== null && left.key === key && Date.now() - left.at < LASTS ? left : null;

/** The results that were left at this address, if it was not long ago. */
export const leftBehind = (key: string): Answer | null => here(key)?.answer ?? null;

/** Where one was among them. It is told once. */
export function placeLeft(key: string): { opened: number; scrolled: number } | null {
  const found = here(key);
  left = null;
  return found && { opened: found.opened, scrolled: found.scrolled };
}
