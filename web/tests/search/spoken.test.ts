import { expect, test } from "vitest";
import { spokenWindow } from "../../src/search/spoken";

const ZONE = "Europe/Berlin";

test.each([
  ["2026-11-09T23:00:00.000Z", "2026-11-10T23:00:00.000Z", "on Tuesday 10 November 2026"],
  ["2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z", "in March 2026"],
  ["2025-12-31T23:00:00.000Z", "2026-12-31T23:00:00.000Z", "in 2026"],
  [
    "2026-03-27T23:00:00.000Z", // the clocks go forward within
    "2026-03-29T22:00:00.000Z",
    "from 28 to 29 March 2026",
  ],
  ["2026-10-26T23:00:00.000Z", "2026-11-08T23:00:00.000Z", "from 27 October to 8 November 2026"],
  [
    "2025-12-28T23:00:00.000Z",
    "2026-01-04T23:00:00.000Z",
    "from 29 December 2025 to 4 January 2026",
  ],
  [
    "2026-11-10T13:05:00.000Z",
    "2026-11-10T23:00:00.000Z",
    "from Tuesday 10 November 2026, 14:05 to Wednesday 11 November 2026",
  ],
  ["2026-11-09T23:00:00.000Z", null, "since Tuesday 10 November 2026"],
  [null, "2026-11-10T13:05:00.000Z", "before Tuesday 10 November 2026, 14:05"],
  [null, null, "at any time"],
])("from %s to %s is %s", (from, to, words) => {
  // Whether a comma follows the weekday is the browser's affair.
  expect(spokenWindow({ from, to }, ZONE).replaceAll("day,", "day")).toBe(words);
});
