import { describe, expect, it } from "vitest";
import { grouped } from "../../src/shell/groups";
import { conversation } from "./fake";

const NOW = Date.parse("2026-11-17T12:00:00Z");

describe("the groups of the list", () => {
  it("are pinned channels, then what is active, then the rest, in the order of the list", () => {
    const groups = grouped(
      [
        conversation("a", { updated: "2026-11-17T11:00:00Z" }),
        conversation("b", { updated: "2026-11-16T12:00:01Z", channel: "email" }),
        conversation("c", { updated: "2026-11-16T11:59:00Z" }),
        conversation("d", { updated: "2025-01-01T00:00:00Z", channel: "whatsapp", pinned: true }),
        conversation("e", { updated: "2025-01-01T00:00:00Z", pinned: true }),
      ],
      NOW,
    );
    expect(groups.map((one) => [one.name, one.conversations.map(({ id }) => id)])).toEqual([
      ["Channels", ["d"]],
      ["Active", ["a", "b"]],
      ["Recent", ["c", "e"]],
    ]);
  });

  it("that are empty are left out", () => {
    expect(grouped([], NOW)).toEqual([]);
  });
});
