import { useEffect, useState } from "react";
import type { Refused } from "../api/problem";

/** How many seconds somebody still has to wait, after the server said so. */
export function useSecondsLeft(refused: Refused | null): number {
  const [left, setLeft] = useState(0);

  useEffect(() => {
    const seconds = refused?.status === 429 ? (refused.retryAfter ?? 0) : 0;
    const until = Date.now() + seconds * 1000;
    const look = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    if (seconds === 0) return;
    const ticking = setInterval(look, 250);
    return () => clearInterval(ticking);
  }, [refused]);

  return left;
}
