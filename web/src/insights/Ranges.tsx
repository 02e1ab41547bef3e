// The choice of days: three usual ones, or from one day to another.
import { useId } from "react";
import type { Preset, Range } from "./range";

const PRESETS: readonly { preset: Preset | "custom"; label: string }[] = [
  { preset: "30", label: "30 days" },
  { preset: "90", label: "90 days" },
  { preset: "year", label: "A year" },
  { preset: "custom", label: "Other days" },
];

export function Ranges({
  range,
  shown,
  change,
}: {
  range: Range;
  /** The days that are shown now: where other days begin. */
  shown: { from: string; to: string };
  change: (range: Range) => void;
}) {
  const name = useId();
  const pick = (preset: Preset | "custom") =>
    change(preset === "custom" ? { preset, ...shown } : { preset });
  const move = (part: { from?: string; to?: string }) => {
    const next = { ...shown, ...part };
    if (next.from && next.to) change({ preset: "custom", ...next });
  };
  return (
    <div className="insights-ranges">
      <div className="insights-choice" role="radiogroup" aria-label="Days">
        {PRESETS.map(({ preset, label }) => (
          <label key={preset}>
            <input
              type="radio"
              name={name}
              checked={range.preset === preset}
              onChange={() => pick(preset)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {range.preset === "custom" && (
        <>
          <label className="insights-date">
            <span className="soft">From</span>
            <input
              className="field"
              type="date"
              value={range.from}
              max={range.to}
              onChange={(event) => move({ from: event.target.value, to: range.to })}
            />
          </label>
          <label className="insights-date">
            <span className="soft">To</span>
            <input
              className="field"
              type="date"
              value={range.to}
              min={range.from}
              onChange={(event) => move({ from: range.from, to: event.target.value })}
            />
          </label>
        </>
      )}
    </div>
  );
}
