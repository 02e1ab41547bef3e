import { expect, test } from "vitest";
import { named } from "../../src/memories/deeds";
import { grouped } from "../../src/memories/List";
import { changesOf } from "../../src/memories/Row";
import { fixName, goes, sureness, surenessExactly, typeName, used } from "../../src/memories/words";
import { memory } from "./samples";

const NOW = Date.parse("2026-11-10T12:00:00Z");

test("how sure it is stands in words, and exactly on hover", () => {
  expect([1, 0.93, 0.7, 0.5, 0.1].map(sureness)).toEqual([
    "certain",
    "quite sure",
    "likely",
    "unsure",
    "a guess",
  ]);
  expect(surenessExactly(0.931)).toBe("Confidence: 93 %");
});

test("how often it was used", () => {
  const last = "2026-11-09T08:00:00Z";
  const say = (accessCount: number, lastAccessedAt: string | null) =>
    used({ accessCount, lastAccessedAt }, NOW, "UTC");
  expect(say(0, null)).toBe("not used yet");
  expect(say(1, last)).toBe("used once, yesterday");
  expect(say(4, last)).toBe("used 4 times, last yesterday");
  expect(say(4, null)).toBe("used 4 times");
});

test("what goes is counted, and what is none is not told", () => {
  expect(goes(1, 0, ["forget", "erase"])).toBe("Forget 1 memory");
  expect(goes(3, 2, ["forget", "erase"])).toBe("Forget 3 memories and erase 2 messages");
  expect(goes(0, 1, ["forget", "erase"])).toBe("Erase 1 message");
});

test("a fix says what it does", () => {
  expect(fixName({ fix: "archive", memoryIds: ["a"] })).toBe("Archive it");
  expect(fixName({ fix: "merge", memoryIds: ["a", "b"] })).toBe("Merge these 2");
});

test("a type that a newer server names is called so", () => {
  expect(typeName("entity", true)).toBe("People and things");
  expect(typeName("constructor")).toBe("constructor");
});

test("long ones are called by their beginning", () => {
  expect(named({ content: "Moved\n to Oslo." })).toBe("“Moved to Oslo.”");
  expect(named({ content: "x".repeat(80) })).toBe(`“${"x".repeat(59)}…”`);
});

test("they are grouped in a fixed order, or by what fits best", () => {
  const all = [memory({ id: "a", type: "project" }), memory({ id: "b" }), memory({ id: "c" })];
  expect(grouped(all, false).map(({ type }) => type)).toEqual(["fact", "project"]);
  expect(grouped(all, true).map(({ type }) => type)).toEqual(["project", "fact"]);
  expect(grouped(all, true)[1]?.memories.map(({ id }) => id)).toEqual(["b", "c"]);
});

test("only what was changed is sent", () => {
  const before = {
    content: "Moved to Oslo.",
    type: "fact" as const,
    category: "",
    pinned: false,
    since: "2026-03-03",
  };
  expect(changesOf(memory(), before, before)).toEqual({});
  const after = { ...before, category: "home", since: "2026-03-01" };
  expect(changesOf(memory(), after, before)).toEqual({
    category: "home",
    validFrom: "2026-03-01T12:00:00Z",
  });
  expect(changesOf(memory({ category: "home" }), before, before)).toEqual({ category: null });
});
