import { expect, test } from "vitest";
import { dayAddress, isDay } from "../../src/continuous/address";
import { addressOf, queryOf, wantedOf } from "../../src/continuous/wanted";

test("the address says what is looked for, and where", () => {
  expect(wantedOf("q=roof&scope=recent")).toEqual({ q: "roof", scope: "recent" });
  expect(wantedOf("scope=all")).toEqual({ q: "", scope: "day" });
  expect(addressOf(null, { q: " roof ", scope: "everything" })).toBe(
    "/continuous?q=roof&scope=everything",
  );
  expect(addressOf("2026-02-14", { q: "", scope: "day" })).toBe("/continuous/2026-02-14");
});

test("the scope becomes the server's parameters", () => {
  expect(queryOf({ q: "roof", scope: "day" }, "2026-02-14")).toEqual({
    query: "roof",
    day: "2026-02-14",
  });
  expect(queryOf({ q: "roof", scope: "recent" }, "")).toEqual({ query: "roof", recencyDays: 14 });
  expect(queryOf({ q: "roof", scope: "everything" }, "")).toEqual({
    query: "roof",
    recencyDays: 0,
  });
});

test("only real days are days", () => {
  expect(["2026-02-28", "2024-02-29"].every(isDay)).toBe(true);
  expect(["2026-02-30", "2026-2-3", "2026-13-01", "today", ""].some(isDay)).toBe(false);
  expect(dayAddress("2026-02-14", "msg-1")).toBe("/continuous/2026-02-14#msg-1");
});
