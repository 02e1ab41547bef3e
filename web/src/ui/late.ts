// What takes long enough to be noticed. Until then what was there before stays.
import { useEffect, useState } from "react";

const NOTICED = 150;

/** Whether what is waited for has taken longer than 150 ms. Null waits for nothing. */
export function useIsLate(awaited: string | null): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (awaited === null) return setLate(null);
    const timer = setTimeout(() => setLate(awaited), NOTICED);
    return () => clearTimeout(timer);
  }, [awaited]);
  return awaited !== null && late === awaited;
}
