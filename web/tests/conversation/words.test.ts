import { describe, expect, it } from "vitest";
import { linked } from "../../src/conversation/Sources";
import { commandsFor } from "../../src/conversation/slash";
import { firstWords, isTooLong, MOST, pretty, quoted, speaker } from "../../src/conversation/words";
import { message, reply } from "./said";

describe("who said it", () => {
  it("is you, the assistant, or another person by name", () => {
    expect(speaker(message())).toBe("You");
    expect(speaker(message({ sender: "ann" }))).toBe("You");
    expect(speaker(reply())).toBe("Assistant");
    const author = { kind: "participant", id: null, grade: null } as const;
    expect(speaker(message({ sender: "Ann", author }))).toBe("Ann");
  });
});

describe("a quotation", () => {
  it("has a sign before each line, and an empty line after it", () => {
    expect(quoted("One\n\nTwo\n")).toBe("> One\n>\n> Two\n\n");
  });
});

describe("the length of a message", () => {
  it("is counted in bytes", () => {
    expect(isTooLong("x".repeat(MOST))).toBe(false);
    expect(isTooLong("x".repeat(MOST + 1))).toBe(true);
    expect(isTooLong("é".repeat(MOST / 2))).toBe(false);
    expect(isTooLong("é".repeat(MOST / 2 + 1))).toBe(true);
  });
});

describe("anything as text", () => {
  it("is readable", () => {
    expect(pretty({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(pretty("as it is")).toBe("as it is");
    expect(pretty(undefined)).toBe("");
  });
});

describe("how a text begins", () => {
  it("is one line that ends with a word", () => {
    expect(firstWords(" a\n b ")).toBe("a b");
    expect(firstWords("word ".repeat(100))).toBe(`${"word ".repeat(12).trim()}…`);
    expect(firstWords("x".repeat(100))).toBe(`${"x".repeat(60)}…`);
  });
});

describe("commands", () => {
  const names = (text: string) => commandsFor(text).map(({ name }) => name);
  it("are offered as long as one is being typed", () => {
    expect(names("/")).toEqual(["new", "model", "title", "forget", "help"]);
    expect(names("/M")).toEqual(["model"]);
    for (const text of ["", "x", " /new", "/new x", "/etc/passwd", "/ "])
      expect(names(text)).toEqual([]);
  });
});

describe("what a reply links to", () => {
  it("says in which conversation each message is", () => {
    const text = "> Said.\n\n[yesterday](/c/conv-A#msg-1), [then](/c/conv-B#msg-2)";
    expect([...linked(text)]).toEqual([
      ["msg-1", "conv-A"],
      ["msg-2", "conv-B"],
    ]);
  });
});
