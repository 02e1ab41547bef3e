import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { Overlays, openOverlay } from "../../src/shell/Overlays";
import { memory } from "../memories/samples";
import { conversation, list } from "./fake";

const hit = {
  conversationId: "z",
  conversationName: null,
  title: "Boiler",
  channel: "email",
  abbreviation: null,
  matchedTurns: [3],
  timestamp: "2026-01-02T00:00:00Z",
  score: 1,
  topics: [],
  snippet: "the pump is loud again",
  highlights: [],
  turnRange: "3",
  messageIds: ["msg-3"],
  kind: "message",
  explanation: null,
};

function open() {
  const location = memoryLocation({ path: "/", record: true });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <Overlays />
    </Router>,
  );
  return location;
}

const answers = vi.fn(async (address: string) => {
  if (address.startsWith("/api/memories")) {
    const memories = address.includes("walnuts")
      ? [memory({ content: "Allergic to walnuts." })]
      : [];
    return new Response(JSON.stringify({ memories, nextCursor: null }));
  }
  const body = address.startsWith("/api/search")
    ? { results: [hit], totalMatches: 1, timeWindow: null, emptyWindow: null, nextCursor: null }
    : { conversations: [conversation("q", { title: "An old pump" })], nextCursor: null };
  return new Response(JSON.stringify(body));
});

beforeEach(() => {
  openOverlay(null);
  list([conversation("a", { title: "Rust borrowing" }), conversation("b", { title: "Tickets" })]);
  vi.stubGlobal("fetch", answers);
});
afterEach(() => vi.unstubAllGlobals());

const options = () => screen.getAllByRole("option").map((one) => one.textContent);
const chosen = () => screen.getByRole("option", { selected: true }).textContent;

describe("the palette", () => {
  it("begins with the latest conversations, and walks round by arrows", async () => {
    open();
    await userEvent.keyboard("{Control>}k{/Control}");
    const box = screen.getByRole("combobox", { name: "Find anything" });
    expect(document.activeElement).toBe(box);
    expect(options()[0]).toContain("Rust borrowing");
    expect(options().some((one) => one?.includes("New conversation"))).toBe(true);
    await userEvent.keyboard("{ArrowUp}");
    expect(chosen()).toBe(options().at(-1));
    await userEvent.keyboard("{ArrowDown}");
    expect(chosen()).toBe(options()[0]);
    expect(box.getAttribute("aria-activedescendant")).toBe(
      screen.getByRole("option", { selected: true }).id,
    );
  });

  it("finds titles and messages on the server, and opens the exact message", async () => {
    const location = open();
    await userEvent.keyboard("{Control>}k{/Control}pump");
    await screen.findByText("the pump is loud again");
    expect(options()[0]).toContain("An old pump");
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(location.history?.at(-1)).toBe("/c/z#msg-3"));
  });

  it("finds memories, and opens one alone", async () => {
    const location = open();
    await userEvent.keyboard("{Control>}k{/Control}walnuts");
    await userEvent.click(await screen.findByText("Allergic to walnuts."));
    await waitFor(() => expect(location.history?.at(-1)).toBe("/memories?memory=mem-1"));
  });

  it("puts commands that hardly fit below what was said", async () => {
    open();
    await userEvent.keyboard("{Control>}k{/Control}nwcv");
    await screen.findByText("the pump is loud again");
    expect(options()).toHaveLength(2);
    expect(options()[0]).toContain("the pump is loud again");
    expect(options()[1]).toContain("New conversation");
  });

  it("runs commands", async () => {
    const location = open();
    await userEvent.keyboard("{Control>}k{/Control}settings");
    expect(chosen()).toContain("Go to Settings");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(location.history?.at(-1)).toBe("/settings"));
  });

  it("says when nothing is found", async () => {
    open();
    answers.mockImplementation(async () => {
      return new Response(JSON.stringify({ conversations: [], results: [] }));
    });
    await userEvent.keyboard("{Control>}k{/Control}zzzz");
    expect(await screen.findByText(/Nothing was found/)).toBeTruthy();
  });
});

describe("the list of keys", () => {
  it("opens by its key and names every key", async () => {
    open();
    await userEvent.keyboard("?");
    expect(screen.getByText("Find anything, or do anything")).toBeTruthy();
    expect(screen.getByText("New conversation")).toBeTruthy();
  });
});
