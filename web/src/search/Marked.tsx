import type { ReactNode } from "react";
import { Visible } from "../ui/Visible";

/** Text with some ranges marked. Ranges count characters as the server does, not UTF-16 units. */
export function Marked({ text, ranges }: { text: string; ranges: readonly unknown[][] }) {
  const characters = Array.from(text);
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    if (typeof start !== "number" || typeof end !== "number" || start < from) continue;
    pieces.push(
      <Visible key={from} text={characters.slice(from, start).join("")} />,
      <mark key={`mark-${start}`}>
        <Visible text={characters.slice(start, end).join("")} />
      </mark>,
    );
    from = end;
  }
  pieces.push(<Visible key={from} text={characters.slice(from).join("")} />);
  return pieces;
}
