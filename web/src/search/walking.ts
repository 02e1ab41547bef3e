// The arrow keys (or j and k) walk from the search box through the results and back.
import { type RefObject, useEffect } from "react";
import { isWriting } from "../ui/keys";

export const HIT = "find-hit";
/** The links of the results, in their order. */
export const hits = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(`.${HIT}`) ?? []),
];

const BOX = "input[type=search]";

const hasModifier = (event: KeyboardEvent): boolean =>
  event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing;

/** Which result is next from the one at `here` (−1 is the box); null leaves the key alone. */
export function next(key: string, here: number, count: number): number | null {
  const last = count - 1;
  if (key === "ArrowDown" || key === "j") return here < last ? here + 1 : null;
  if (key === "ArrowUp" || key === "k") return here > -1 ? here - 1 : null;
  if (key === "Home" && here > -1) return 0;
  if (key === "End" && here > -1) return last;
  return null;
}

export function useWalking(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const walk = (event: KeyboardEvent) => {
      const target = event.target;
      const all = hits(list.current);
      if (!(target instanceof HTMLElement) || hasModifier(event) || all.length === 0) return;
      const isBox = target.matches(BOX);
      const here = isBox ? -1 : all.indexOf(target);
      if (isBox ? event.key !== "ArrowDown" : here === -1 || isWriting(target)) return;
      const there = next(event.key, here, all.length);
      if (there === null) return;
      event.preventDefault();
      (there === -1 ? document.querySelector<HTMLElement>(BOX) : all[there])?.focus();
    };
    document.addEventListener("keydown", walk);
    return () => document.removeEventListener("keydown", walk);
  }, [list]);
}
