// Notices: what is told in a corner, with what can be done about it.
import { asRefused } from "../api/problem";
import type { Notice } from "./model";
import { changeState } from "./store";

const SHORT = 6_000;
let last = 0;

/** Tells something. Returns its id, with which it can be dismissed. */
export function tell(text: string, more: Partial<Omit<Notice, "id" | "text">> = {}): string {
  last += 1;
  const id = `notice-${last}`;
  const notice: Notice = {
    id,
    kind: "info",
    text,
    remedy: "",
    action: null,
    lasts: more.kind === "problem" ? null : SHORT,
    ...more,
  };
  changeState(({ notices }) => ({
    // The same words are not told twice at once.
    notices: [...notices.filter((one) => one.text !== text), notice],
  }));
  return id;
}

export function tellProblem(error: unknown, action: Notice["action"] = null): string {
  const { message, remedy } = asRefused(error);
  return tell(message, { kind: "problem", remedy, action });
}

export function dismiss(id: string): void {
  changeState(({ notices }) => ({ notices: notices.filter((one) => one.id !== id) }));
}
