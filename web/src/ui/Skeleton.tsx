// Lines where text will be. They appear only when it takes long enough to be noticed.
import { useEffect, useState } from "react";
import "./skeleton.css";

const NOTICED = 150;

/** True once something has taken longer than 150 ms. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), NOTICED);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

const WIDTHS = ["90%", "76%", "84%", "58%", "70%", "92%", "64%", "80%"];

export function Skeleton({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  if (!useIsSlow()) return null;
  return (
    <div className="ui-skeleton" role="status" aria-label={label}>
      {WIDTHS.slice(0, lines).map((width) => (
        <span key={width} style={{ width }} />
      ))}
    </div>
  );
}
