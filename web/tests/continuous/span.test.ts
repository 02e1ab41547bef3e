import { describe, expect, it } from "vitest";
import { coveredOf, isOn, rowBefore, spanOf } from "../../src/continuous/span";
import { said as asRow, onItsWay } from "../../src/conversation/rows";
import { day, said } from "./days";

const rows = [said(1, 1), said(2, 1), said(3, 2), said(4, 2), said(5, 3)].map(asRow);
const waiting = onItsWay({
  key: "k",
  place: "conv-1",
  text: "Later",
  at: 0,
  state: "waiting",
  problem: null,
});
const on = (view = day(), begin: number | null = null) =>
  [...rows, waiting]
    .filter((row) => isOn(spanOf(view, begin), row))
    .map(({ message }) => message.content);

describe("which messages belong to a day", () => {
  it("takes all that comes while the day lasts", () => {
    expect(on(day({ messages: [said(3, 2), said(4, 2)] }))).toEqual([
      "Message 3",
      "Message 4",
      "Message 5",
      "Later",
    ]);
  });

  it("ends a day with its last turn, whatever is loaded and waits", () => {
    const past = { day: "2026-11-16", messages: [said(1, 1), said(2, 1)] };
    expect(on(day({ ...past, nextDay: "2026-11-18" }))).toEqual(["Message 1", "Message 2"]);
    expect(on(day(past))).toEqual(["Message 1", "Message 2"]);
  });

  it("goes by the turn, not by the clock: a reply belongs to the day of its question", () => {
    const late = asRow(said(2, 1, { timestamp: "2026-11-19T00:00:10Z" }));
    const view = day({ messages: [said(1, 1)], nextDay: "2026-11-19" });
    expect(isOn(spanOf(view, null), late)).toBe(true);
  });

  it("goes by the clock until the first message is known", () => {
    const view = day({ messages: [], messageCount: 0 });
    expect(on(view)).toHaveLength(6);
    const before = asRow(said(1, 1, { timestamp: "2026-11-17T23:59:00Z" }));
    expect(isOn(spanOf(view, null), before)).toBe(false);
  });

  it("begins a long day where the one before ended", () => {
    const view = day({ messages: [said(5, 3)], hasMore: true });
    expect(on(view)).toEqual(["Message 5", "Later"]);
    expect(on(view, 2)).toEqual(["Message 3", "Message 4", "Message 5", "Later"]);
  });
});

describe("what the summary covers", () => {
  it("is all up to its last message", () => {
    expect(coveredOf(rows, "msg-2", true)).toBe(2);
    expect(coveredOf(rows, "msg-5", true)).toBe(5);
    expect(coveredOf(rows, null, true)).toBe(0);
    expect(coveredOf(rows, "msg-gone", true)).toBe(0);
  });

  it("leaves what was said last in sight while the day lasts", () => {
    expect(coveredOf(rows.slice(0, 4), "msg-4", false)).toBe(2);
    expect(coveredOf([...rows, waiting], "msg-5", false)).toBe(4);
  });

  it("was made after some message", () => {
    expect(rowBefore(rows, "2026-11-18T09:03:30Z")).toBe(2);
    expect(rowBefore(rows, "2026-11-18T08:00:00Z")).toBe(-1);
  });
});
