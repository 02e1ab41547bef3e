// Switching without a flash of emptiness: the old stays until the new is there, but not for long.
import { useEffect, useRef, useState } from "react";

const NOTICED = 150;

/** What to show: `wanted` once it is ready or has taken too long, until then what was there. */
export function useSettled(wanted: string | null, isReady: boolean): string | null {
  const shown = useRef<string | null>(null);
  const [slow, setSlow] = useState<string | null>(null);
  useEffect(() => {
    if (isReady || wanted === null) return;
    const timer = setTimeout(() => setSlow(wanted), NOTICED);
    return () => clearTimeout(timer);
  }, [wanted, isReady]);
  if (isReady || (wanted !== null && slow === wanted)) shown.current = wanted;
  return shown.current;
}
