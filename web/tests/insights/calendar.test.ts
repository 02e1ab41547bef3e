import { expect, test } from "vitest";
import type { SaidOnDay } from "../../src/api/shapes";
import { columns, label, levels, walked } from "../../src/insights/calendar";

const said = (day: string, messages: number): SaidOnDay => ({
  day,
  messages,
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  models: [],
});

test("weeks begin on Monday, and days outside the stretch are left empty", () => {
  // 2025-11-18 is a Tuesday, 2026-11-17 as well.
  const weeks = columns("2025-11-18", "2026-11-17");
  expect(weeks).toHaveLength(53);
  expect(weeks[0]?.slice(0, 2)).toEqual([null, "2025-11-18"]);
  expect(weeks.at(-1)?.slice(0, 3)).toEqual(["2026-11-16", "2026-11-17", null]);
  expect(weeks.flat().filter(Boolean)).toHaveLength(365);
});

test("days are coloured in five steps, and one long day does not pale the others", () => {
  const days = [1, 2, 3, 4, 5, 6, 7, 5000].map((many, at) => said(`2026-01-0${at + 1}`, many));
  const level = levels(days);
  expect([0, 1, 4, 6, 5000].map(level)).toEqual([0, 1, 2, 3, 4]);
  expect(levels([said("2026-01-01", 3)])(3)).toBe(4);
});

test("a day is told with its number and its date", () => {
  expect(label("2026-11-10", 14)).toMatch(/^14 messages on Tuesday,? 10 November 2026$/);
  expect(label("2026-11-10", 1)).toMatch(/^1 message on/);
  expect(label("2026-11-10", 0)).toMatch(/^No messages on/);
});

test("keys walk by days and weeks, and stay in the year", () => {
  const walk = (key: string, day: string) => walked(key, day, "2025-11-18", "2026-11-17");
  expect(walk("ArrowUp", "2026-03-01")).toBe("2026-02-28");
  expect(walk("ArrowRight", "2026-03-01")).toBe("2026-03-08");
  expect(walk("PageUp", "2026-03-29")).toBe("2026-03-01");
  expect(walk("ArrowDown", "2026-11-17")).toBe("2026-11-17");
  expect(walk("PageUp", "2025-11-20")).toBe("2025-11-18");
  expect(walk("Home", "2026-03-01")).toBe("2025-11-18");
  expect(walk("End", "2026-03-01")).toBe("2026-11-17");
  expect(walk("a", "2026-03-01")).toBeNull();
});
