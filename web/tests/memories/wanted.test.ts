import { expect, test } from "vitest";
import {
  ALL,
  addressOf,
  isNarrowed,
  memoryAddress,
  parametersOf,
  wantedOf,
} from "../../src/memories/wanted";

test("the address says what is looked at, and is read again", () => {
  const wanted = {
    ...ALL,
    view: "archived",
    type: "project",
    category: "home",
    q: "roof",
  } as const;
  expect(addressOf(wanted)).toBe("/memories?show=archived&type=project&category=home&q=roof");
  expect(wantedOf("show=archived&type=project&category=home&q=roof")).toEqual(wanted);
  expect(addressOf(ALL)).toBe("/memories");
  expect(memoryAddress("mem-1")).toBe("/memories?memory=mem-1");
});

test("what is not known is left out", () => {
  expect(wantedOf("show=everything&type=secret")).toEqual(ALL);
});

test("each view asks for its own", () => {
  expect(parametersOf(ALL)).toEqual({ type: "", category: "", q: "" });
  expect(parametersOf({ ...ALL, view: "waiting" })).toMatchObject({ state: "waiting" });
  expect(parametersOf({ ...ALL, view: "superseded" })).toMatchObject({ superseded: true });
  expect(parametersOf({ ...ALL, q: " roof " })).toMatchObject({ q: "roof" });
});

test("words narrow, spaces do not", () => {
  expect(isNarrowed({ ...ALL, q: "  " })).toBe(false);
  expect(isNarrowed({ ...ALL, category: "home" })).toBe(true);
});
