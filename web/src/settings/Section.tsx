// One part of the settings: what it is about, and what went wrong in it.
import { type ReactNode, useId } from "react";
import type { Refused } from "../api/problem";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className="settings-section" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

/** A sentence and a remedy, beside what it is about. */
export function Trouble({ problem }: { problem: Refused | null }) {
  if (!problem) return null;
  return (
    <p className="settings-trouble" role="alert">
      {problem.message} {problem.remedy && <span>{problem.remedy}</span>}
    </p>
  );
}
