// Which messages belong to a day, and which of them its summary covers. A reply belongs to the day
// of its question, so the turns decide, not the clock.

import type { DayView, Message } from "../api/shapes";
import type { Row } from "../conversation/rows";
import { dayOf } from "../ui/times";

/** What is loaded of the conversation. */
export interface Stretch {
  messages: readonly Message[];
  hasLater: boolean;
}

export interface Span {
  /** Turns; null where they are not known yet. */
  first: number | null;
  /** null: the day is not over, and whatever comes belongs to it. */
  last: number | null;
  day: string;
  zone: string;
}

/** `begin` is the first turn, where the view does not reach it. */
export function spanOf(view: DayView, begin: number | null): Span {
  const { day, today, timezone: zone, nextDay } = view;
  const first = view.hasMore ? begin : null;
  const isOver = nextDay !== null || day < today;
  return {
    first: first ?? view.messages[0]?.turnNumber ?? null,
    last: isOver ? (view.messages.at(-1)?.turnNumber ?? 0) : null,
    day,
    zone,
  };
}

export function isOn(span: Span, { message, outgoing }: Row): boolean {
  if (outgoing) return span.last === null;
  const { turnNumber: turn, timestamp } = message;
  // Before its first message, and for answers to commands, which have no turn, the clock decides.
  if (turn === 0 || span.first === null) {
    return span.last === null && dayOf(timestamp, span.zone) >= span.day;
  }
  return turn >= span.first && (span.last === null || turn <= span.last);
}

/** Answers to commands have no turn, and are not counted. */
const isSpoken = ({ role, turnNumber }: Message): boolean =>
  turnNumber > 0 && (role === "user" || role === "assistant");

/** How many messages the day has by now: what came after it was loaded counts too, and what was
 * taken away does not. */
export function countOf(view: DayView, transcript: Stretch | undefined): number {
  const { messages: known, messageCount, nextDay, day, today } = view;
  const first = transcript?.messages[0];
  const last = known.at(-1);
  if (!transcript || transcript.hasLater || !first || !last) return messageCount;
  const isOver = nextDay !== null || day < today;
  const here = new Set(transcript.messages.map(({ id }) => id));
  const gone = known.filter((one) => isSpoken(one) && one.seq >= first.seq && !here.has(one.id));
  const come = transcript.messages.filter((one) => {
    if (!isSpoken(one) || one.seq <= last.seq) return false;
    return !isOver || one.turnNumber <= last.turnNumber;
  });
  return messageCount + come.length - gone.length;
}

/** How many of the rows the summary covers. While the day lasts, what was said last stays in sight. */
export function coveredOf(rows: readonly Row[], until: string | null, isOver: boolean): number {
  const covered = until === null ? 0 : rows.findIndex(({ message }) => message.id === until) + 1;
  if (isOver) return covered;
  const stored = rows.filter(({ message, outgoing }) => !outgoing && message.turnNumber > 0);
  const last = stored.at(-1)?.message.turnNumber;
  const stays = rows.findIndex(({ message }) => message.turnNumber === last);
  return stays === -1 ? covered : Math.min(covered, stays);
}

/** The last row that was said before a moment; −1 if there is none. */
export const rowBefore = (rows: readonly Row[], moment: string): number =>
  rows.findLastIndex(
    ({ message, outgoing }) => !outgoing && Date.parse(message.timestamp) <= Date.parse(moment),
  );
