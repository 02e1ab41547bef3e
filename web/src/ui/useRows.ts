// A list through which the arrow keys, or j and k, walk. Tab leads to one of its rows.
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";

/** How far each key walks. */
export const STEPS: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const rowsIn = (list: HTMLElement | null, row: string): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(`.${row}`) ?? []),
];

/** Walking by keys through what has the class `row`; and when the one with the focus goes, the next
 * one has it. */
export function useRows(row: string, ids: readonly string[]) {
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const reached = chosen !== null && ids.includes(chosen) ? chosen : (ids[0] ?? null);
  const place = useRef(-1);
  const here = chosen === null ? -1 : ids.indexOf(chosen);
  const hadFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one may have gone
  useLayoutEffect(() => {
    const { activeElement: active, body } = document;
    if (here >= 0) {
      place.current = here;
      hadFocus.current = list.current?.contains(active) ?? false;
      return;
    }
    const rows = rowsIn(list.current, row);
    const next = rows[Math.min(place.current, rows.length - 1)];
    if (hadFocus.current && place.current >= 0 && active === body) next?.focus();
  }, [ids, here, row]);
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = rowsIn(list.current, row);
    const at = rows.indexOf(event.target as HTMLElement);
    const step = STEPS[event.key];
    if (at < 0 || step === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
  };
  return { list, reached, onReach: setChosen, onKeyDown };
}
