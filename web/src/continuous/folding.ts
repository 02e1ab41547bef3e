// What of a day is folded away, and when: what its summary covers while the day lasts, but never what
// somebody reads, or came to see. Of a day that is over everything is shown.
import { useCallback, useState } from "react";
import type { DayView } from "../api/shapes";
import { type Arrival, standsAtEnd } from "../conversation/arrival";
import type { Row } from "../conversation/rows";
import { coveredOf } from "./span";

export interface Folding {
  /** How many rows at the beginning the summary covers. */
  covered: number;
  isOpen: boolean;
  turn: () => void;
}

export function useFolding(
  view: DayView,
  rows: readonly Row[],
  isOver: boolean,
  arrival: Arrival,
): Folding {
  const { day, summaryCoversUntil } = view;
  const [until, setUntil] = useState({ day, covers: summaryCoversUntil });
  const [isOpen, setOpen] = useState(isOver);
  const [seen, setSeen] = useState(-1);

  // A summary that is made meanwhile folds nothing under the eyes of who reads further up.
  if (until.covers !== summaryCoversUntil && standsAtEnd()) {
    setUntil({ day, covers: summaryCoversUntil });
  }
  const covered = coveredOf(rows, until.covers, isOver);
  const wanted = arrival.standing?.messageId ?? arrival.target;
  const isHidden = rows.slice(0, covered).some(({ message }) => message.id === wanted);
  if (isHidden && seen !== arrival.serial) {
    setSeen(arrival.serial);
    setOpen(true);
  }
  const turn = useCallback(() => setOpen((open) => !open), []);
  return { covered, isOpen, turn };
}
