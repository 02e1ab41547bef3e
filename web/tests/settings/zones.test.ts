import { expect, test } from "vitest";
import { findZones, offset, ZONES, zoneWords } from "../../src/settings/zones";

test("every zone of the browser is there, and UTC", () => {
  expect(ZONES.length).toBeGreaterThan(300);
  expect(ZONES).toContain("UTC");
});

test.each([
  ["new york", "America/New_York"],
  ["New_York", "America/New_York"],
  ["york america", "America/New_York"],
  ["SAO PAULO", "America/Sao_Paulo"],
  ["são paulo", "America/Sao_Paulo"],
  ["lis", "Europe/Lisbon"],
])("%s finds %s first", (query, zone) => {
  expect(findZones(query)[0]).toBe(zone);
});

test("nothing typed is everything, and nonsense is nothing", () => {
  expect(findZones("  ")).toEqual([...ZONES]);
  expect(findZones("xyzzy")).toEqual([]);
});

test("names and offsets are written as people read them", () => {
  expect(zoneWords("America/Argentina/Buenos_Aires")).toBe("America / Argentina/Buenos Aires");
  const winter = Date.parse("2026-01-15T12:00:00Z");
  expect(offset("Europe/Berlin", winter)).toBe("UTC+1");
  expect(offset("America/New_York", winter)).toBe("UTC−5");
  expect(offset("Nowhere/Nothing", winter)).toBe("");
});
