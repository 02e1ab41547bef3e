// Lines where text will be. They appear only when it takes long enough to be noticed.
import { useIsLate } from "./late";
import "./skeleton.css";

const WIDTHS = ["90%", "76%", "84%", "58%", "70%", "92%", "64%", "80%"];

export function Skeleton({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  if (!useIsLate(label)) return null;
  return (
    <div className="ui-skeleton" role="status" aria-label={label}>
      {WIDTHS.slice(0, lines).map((width) => (
        <span key={width} style={{ width }} />
      ))}
    </div>
  );
}
