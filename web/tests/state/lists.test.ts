import { describe, expect, it } from "vitest";
import { withConversation, withFirstPage, withNews, withNextPage } from "../../src/state/lists";
import { EMPTY } from "../../src/state/store";
import { conversation, message } from "./samples";

const at = (day: number): string => `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
const meta = (id: string, day: number, more = {}) =>
  conversation(id, { updated: at(day), ...more });
const listing = (cursor: string | null = null) => ({
  ...EMPTY,
  ...withFirstPage(EMPTY, [meta("c", 9), meta("b", 8), meta("a", 7)], cursor, false),
});

describe("the list", () => {
  it("is there, latest first", () => {
    expect(listing()).toMatchObject({ isListed: true, listed: ["c", "b", "a"] });
  });

  it("has what was said last on top", () => {
    const turn = message("a", 1, { timestamp: at(10), turnNumber: 4 });
    const after = withNews(listing(), turn);
    expect(after.listed).toEqual(["a", "c", "b"]);
    expect(after.conversations?.a).toMatchObject({ updated: at(10), turnCount: 4 });
  });

  it("stays in order when an old message becomes another", () => {
    expect(withNews(listing(), message("a", 1, { timestamp: at(2) }))).toEqual({});
  });

  it("loses what is archived, and gets it back", () => {
    const state = listing();
    const archived = { ...state, ...withConversation(state, meta("b", 8, { archived: true })) };
    expect(archived.listed).toEqual(["c", "a"]);
    expect(withConversation(archived, meta("b", 8)).listed).toEqual(["c", "b", "a"]);
  });

  it("has no continuous conversation", () => {
    expect(withConversation(listing(), meta("d", 9, { mode: "continuous" })).listed).toHaveLength(
      3,
    );
  });

  it("leaves out what belongs to a page that was not loaded", () => {
    expect(withConversation(listing("next"), meta("old", 1)).listed).toEqual(["c", "b", "a"]);
    expect(withConversation(listing(null), meta("old", 1)).listed).toEqual(["c", "b", "a", "old"]);
  });

  it("goes on, without doubles", () => {
    const after = withNextPage(listing("next"), [meta("a", 7), meta("old", 1)], null);
    expect(after).toMatchObject({ listed: ["c", "b", "a", "old"], listCursor: null });
  });

  it("goes on behind what was told before it came", () => {
    const early = { ...EMPTY, ...withConversation(EMPTY, meta("old", 1)) };
    const after = withFirstPage(early, [meta("c", 9), meta("b", 8)], "next", false);
    expect(after).toMatchObject({ listed: ["c", "b"], listCursor: "next" });
  });

  it("keeps what was loaded beyond the first page, unless it may be stale", () => {
    const state = listing("next");
    const longer = { ...state, ...withNextPage(state, [meta("old", 1)], "further") };
    const page = [meta("d", 10), meta("c", 9), meta("b", 8)];
    expect(withFirstPage(longer, page, "next", false)).toMatchObject({
      listed: ["d", "c", "b", "a", "old"],
      listCursor: "further",
    });
    expect(withFirstPage(longer, page, "next", true)).toMatchObject({
      listed: ["d", "c", "b"],
      listCursor: "next",
    });
  });
});
