// One part of the settings: what it is about, and what went wrong in it.
import { type ReactNode, useEffect, useId, useRef } from "react";
import type { Refused } from "../api/problem";

interface Props {
  title: string;
  /** With it an address can lead here. */
  id?: string;
  children: ReactNode;
}

export function Section({ title, id, children }: Props) {
  const heading = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (id && location.hash === `#${id}`) section.current?.scrollIntoView?.();
  }, [id]);
  return (
    <section ref={section} id={id} className="settings-section" aria-labelledby={heading}>
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
