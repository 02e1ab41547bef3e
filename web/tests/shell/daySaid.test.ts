import { expect, test } from "vitest";
import { daySaid } from "../../src/shell/palette/daySaid";

const TODAY = "2026-11-18"; // a Wednesday

test.each([
  ["2026-02-14", "2026-02-14"],
  ["today", "2026-11-18"],
  ["Yesterday", "2026-11-17"],
  ["3 days ago", "2026-11-15"],
  ["14 February", "2026-02-14"],
  ["14th of February 2024", "2024-02-14"],
  ["Feb 14, 2026", "2026-02-14"],
  ["1 december", "2025-12-01"],
  ["14.2.2026", "2026-02-14"],
  ["14/02/2026", "2026-02-14"],
  ["Tuesday", "2026-11-17"],
  ["wednesday", "2026-11-11"],
  ["last thu", "2026-11-12"],
])("%s is %s", (words, day) => {
  expect(daySaid(words, TODAY)).toBe(day);
});

test.each(["", "to", "14", "31 February", "2026-02-31", "14 roofs", "mo", "sunny", "the roof"])(
  "%s is no day",
  (words) => {
    expect(daySaid(words, TODAY)).toBe(null);
  },
);
