// Switching without a flash of emptiness: the old stays until the new is there, but not for long.
import { useRef } from "react";
import { useIsLate } from "../ui/late";

/** What to show: `wanted` once it is ready or has taken too long, until then what was there. */
export function useSettled(wanted: string | null, isReady: boolean): string | null {
  const shown = useRef<string | null>(null);
  const isLate = useIsLate(isReady ? null : wanted);
  if (isReady || isLate) shown.current = wanted;
  return shown.current;
}
