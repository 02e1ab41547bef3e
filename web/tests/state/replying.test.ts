import { describe, expect, it } from "vitest";
import { grown, used } from "../../src/state/replying";

const NOTHING = { text: "", length: 0 };

describe("a reply", () => {
  it("grows by its parts", () => {
    expect(grown({ text: "It is ", length: 6 }, 6, "blue.")).toEqual({
      text: "It is blue.",
      length: 11,
    });
  });

  it("is counted in characters, as the server does", () => {
    const first = grown(NOTHING, 0, "👩‍🚀 ok ");
    expect(first?.length).toBe(7);
    expect(first && grown(first, 7, "fine")?.text).toBe("👩‍🚀 ok fine");
  });

  it("is cut where a part overlaps", () => {
    expect(grown({ text: "🙂 is blua", length: 9 }, 5, "blue.")?.text).toBe("🙂 is blue.");
    expect(grown({ text: "It is blue.", length: 11 }, 0, "It is ")?.text).toBe("It is ");
  });

  it("does not grow over a gap", () => {
    expect(grown({ text: "It", length: 2 }, 3, "is")).toBeNull();
  });
});

describe("tools", () => {
  it("begin and end", () => {
    const begun = used([], { toolName: "recall", state: "started" });
    const twice = used(begun, { toolName: "recall", state: "started" });
    expect(used(twice, { toolName: "recall", state: "finished" })).toEqual([
      { toolName: "recall", state: "finished" },
      { toolName: "recall", state: "started" },
    ]);
  });

  it("may have begun before anybody listened", () => {
    expect(used([], { toolName: "recall", state: "failed" })).toHaveLength(1);
  });
});
