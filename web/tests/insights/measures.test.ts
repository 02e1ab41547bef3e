import { expect, test } from "vitest";
import type { SaidOnDay } from "../../src/api/shapes";
import { daysFrom } from "../../src/insights/days";
import { steps, sum, top } from "../../src/insights/measures";

const said = (day: string, messages: number): SaidOnDay => ({
  day,
  messages,
  turns: 0,
  inputTokens: 10 * messages,
  outputTokens: messages,
  cost: messages,
  models: [],
});

test("every day of a month has a bar, also when nothing was said", () => {
  const bars = steps(daysFrom("2026-02-01", "2026-02-28"), [said("2026-02-14", 3)]);
  expect(bars).toHaveLength(28);
  expect(bars[13]).toMatchObject({ first: "2026-02-14", last: "2026-02-14", messages: 3 });
  expect(bars[12]?.messages).toBe(0);
});

test("a year is told by weeks from Monday on, and nothing gets lost", () => {
  const days = [said("2025-11-18", 1), said("2026-02-14", 2), said("2026-02-15", 4)];
  const bars = steps(daysFrom("2025-11-18", "2026-11-17"), days);
  expect(bars).toHaveLength(53);
  expect(bars[0]).toMatchObject({ first: "2025-11-18", last: "2025-11-23", messages: 1 });
  expect(bars.find(({ last }) => last === "2026-02-15")).toMatchObject({
    first: "2026-02-09",
    messages: 6,
  });
  expect(sum(bars)).toEqual(sum(days));
});

test("an axis ends at a round number, not below what is shown", () => {
  expect([1, 7, 11, 43, 1001].map((value) => top(value, true))).toEqual([4, 8, 12, 60, 1200]);
  expect(top(0.0042, false)).toBeCloseTo(0.006);
  expect(top(0, false)).toBeGreaterThan(0);
});
