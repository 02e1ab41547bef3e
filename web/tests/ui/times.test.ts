import { describe, expect, it } from "vitest";
import {
  ago,
  clockTime,
  dayOf,
  dayWords,
  fullDay,
  fullTime,
  lasting,
  said,
  shortDay,
} from "../../src/ui/times";

const ZONE = "Europe/Berlin";
const NOW = "2026-11-17T11:00:00Z"; // Tuesday, noon in Berlin

describe("times as people say them", () => {
  it.each([
    ["2026-11-17T10:59:30Z", "just now"],
    ["2026-11-17T11:00:20Z", "just now"], // a clock that goes ahead
    ["2026-11-17T10:57:00Z", "3 min ago"],
    ["2026-11-17T08:00:00Z", "3 h ago"],
    ["2026-11-16T22:30:00Z", "yesterday"], // 23:30 of Monday in Berlin
    ["2026-11-13T10:00:00Z", "Friday"],
    ["2026-11-10T10:00:00Z", "10 November"],
    ["2025-11-10T10:00:00Z", "10 November 2025"],
  ])("%s was %s", (at, words) => {
    expect(ago(at, NOW, ZONE)).toBe(words);
  });

  it("says the day and the clock of the user's zone", () => {
    expect(said("2026-11-16T13:05:00Z", NOW, ZONE)).toBe("yesterday, 14:05");
    expect(said("2026-11-16T23:05:00Z", NOW, ZONE)).toBe("today, 00:05");
    expect(said("2026-11-16T23:05:00Z", NOW, "UTC")).toBe("yesterday, 23:05");
    expect(clockTime("2026-11-16T23:05:00Z", ZONE)).toBe("00:05");
    expect(dayOf("2026-11-16T23:05:00Z", ZONE)).toBe("2026-11-17");
    expect(dayWords("2026-11-18", NOW, ZONE)).toBe("tomorrow");
  });

  it("gives the whole date for the hover", () => {
    expect(fullDay("2026-11-10")).toBe("Tuesday, 10 November 2026");
    const whole = fullTime("2026-11-10T13:05:33Z", ZONE);
    expect(whole).toContain("Tuesday, 10 November 2026");
    expect(whole).toContain("14:05:33");
  });

  it("takes a zone it does not know for the machine's own", () => {
    expect(() => said("2026-11-16T13:05:00Z", NOW, "Nowhere/Land")).not.toThrow();
  });

  it.each([
    [420, "420 ms"],
    [1_240, "1.2 s"],
    [12_400, "12 s"],
    [185_000, "3 min 5 s"],
    [120_000, "2 min"],
    [119_900, "2 min"],
  ])("%i ms last %s", (milliseconds, words) => {
    expect(lasting(milliseconds)).toBe(words);
  });
});

it("makes a day short where there is little room", () => {
  expect(shortDay("2026-11-14", "2026-11-18")).toBe("Sat 14 Nov");
  expect(shortDay("2025-11-14", "2026-11-18")).toBe("Fri 14 Nov 2025");
});
