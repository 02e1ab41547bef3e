import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { Sidebar } from "../../src/shell/Sidebar";
import * as actions from "../../src/state/actions";
import { forgetNames } from "../../src/state/renaming";
import { changeState } from "../../src/state/store";
import { external } from "../external/samples";
import { serve } from "../fake/server";
import { conversation, list } from "./fake";

vi.mock("../../src/state/actions");

const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString();
const A = conversation("a", { title: "Rust borrowing", updated: hour(1) });
const B = conversation("b", {
  title: "Tickets",
  updated: hour(50),
  channel: "email",
  pinned: true,
});
const C = conversation("c", { title: null, abbreviation: "About the boiler", updated: hour(60) });

function open(path = "/") {
  const location = memoryLocation({ path, record: true });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <Sidebar />
      <Route path="/c/:id">here</Route>
    </Router>,
  );
  return location;
}

const links = () =>
  within(screen.getByRole("navigation", { name: "Conversations" }))
    .queryAllByRole("link")
    .map((link) => link.textContent);

async function choose(title: string, action: string) {
  await userEvent.click(screen.getByRole("button", { name: `Actions for ${title}` }));
  await userEvent.click(screen.getByRole("menuitem", { name: action, hidden: true }));
}

beforeEach(() => {
  forgetNames();
  localStorage.clear();
  list([A, B, C]);
});

it("says which page one is on", () => {
  open("/memories");
  const pages = screen.getByRole("navigation", { name: "Pages" });
  const current = within(pages).getByRole("link", { current: "page" });
  expect(current.textContent).toBe("Memories");
});

describe("the list", () => {
  it("has one link for each conversation, in groups, named by its title", () => {
    open("/c/a");
    const nav = screen.getByRole("navigation", { name: "Conversations" });
    expect(
      within(nav)
        .getAllByRole("heading")
        .map((one) => one.textContent),
    ).toEqual(["Channels", "Active", "Recent"]);
    expect(within(nav).getAllByRole("link")).toHaveLength(3);
    const here = screen.getByRole("link", { name: "Rust borrowing" });
    expect(here.getAttribute("aria-current")).toBe("page");
    expect(screen.getByRole("link", { name: "About the boiler" }).getAttribute("href")).toBe(
      "/c/c",
    );
  });

  it("keeps the order of the state as it changes, and marks what is not read", () => {
    open();
    act(() => {
      const now = { ...C, updated: hour(0) };
      changeState((state) => ({
        conversations: { ...state.conversations, c: now },
        listed: ["c", "a", "b"],
        unread: { c: true },
      }));
    });
    expect(links()).toEqual([
      expect.stringContaining("Tickets"),
      expect.stringContaining("About the boiler"),
      expect.stringContaining("Rust borrowing"),
    ]);
    const row = screen.getByRole("link", { name: "About the boiler" });
    const rest = document.getElementById(row.getAttribute("aria-describedby") ?? "");
    expect(rest?.textContent).toContain("not read yet");
  });

  it("says what to do when it is empty", () => {
    list([]);
    open();
    expect(screen.getByText("Your conversations will stand here.")).toBeTruthy();
  });
});

describe("what others write", () => {
  it("is a link that tells how many need somebody", async () => {
    serve({
      "GET /api/external": {
        external: [external({ escalated: true }), external({ id: "ext-2", drafts: 3 })],
        nextCursor: null,
      },
    });
    open("/external");
    const pages = screen.getByRole("navigation", { name: "Pages" });
    const name = /^External communications\s*2\s*need you$/;
    const link = await within(pages).findByRole("link", { name });
    expect(link.getAttribute("href")).toBe("/external");
    expect(link.getAttribute("aria-current")).toBe("page");
    vi.unstubAllGlobals();
  });

  it("tells no number where nobody waits", () => {
    open();
    expect(screen.getByRole("link", { name: "External communications" })).toBeTruthy();
  });
});

describe("renaming in place", () => {
  it("keeps what is half typed while messages come", async () => {
    open();
    await choose("Rust borrowing", "Rename");
    const box = screen.getByRole("textbox", { name: "New name of Rust borrowing" });
    expect(document.activeElement).toBe(box);
    await userEvent.clear(box);
    await userEvent.type(box, "Owner");
    act(() => changeState({ listed: ["b", "c", "a"] }));
    act(() =>
      changeState((state) => ({
        conversations: { ...state.conversations, a: { ...A, title: "Named by itself" } },
      })),
    );
    const still = screen.getByRole("textbox", { name: "New name of Named by itself" });
    expect(still).toHaveProperty("value", "Owner");
    vi.mocked(actions.rename).mockResolvedValue(true);
    await userEvent.type(still, "ship{Enter}");
    expect(actions.rename).toHaveBeenCalledWith("a", "Ownership");
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("shows again what the server did not take", async () => {
    open();
    vi.mocked(actions.rename).mockResolvedValue(false);
    await choose("Rust borrowing", "Rename");
    await userEvent.type(
      screen.getByRole("textbox", { name: /^New name/ }),
      "{Control>}a{/Control}x{Enter}",
    );
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: /^New name/ })).toHaveProperty("value", "x"),
    );
  });

  it("is left by Escape, without a change", async () => {
    open();
    await choose("Rust borrowing", "Rename");
    await userEvent.keyboard("nonsense{Escape}");
    expect(actions.rename).not.toHaveBeenCalled();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("link", { name: "Rust borrowing" })),
    );
  });
});

describe("what can be done with a conversation", () => {
  it("is to archive it, and to pin it if it is a channel's", async () => {
    open();
    await choose("Rust borrowing", "Archive");
    expect(actions.archive).toHaveBeenCalledWith("a", true);
    await choose("Tickets", "Unpin");
    expect(actions.pin).toHaveBeenCalledWith("b", false);
    await userEvent.click(screen.getByRole("button", { name: "Actions for Rust borrowing" }));
    expect(screen.queryByRole("menuitem", { name: /pin/i, hidden: true })).toBeNull();
  });

  it("is to erase it, after it was shown what will go", async () => {
    const location = open("/c/a");
    const receipt = { preview: true, messages: 14, erased: ["14 messages"], remains: [] };
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(JSON.stringify(receipt))),
    );
    await choose("Rust borrowing", "Delete");
    expect(await screen.findByText("14 messages")).toBeTruthy();
    expect(fetch).toHaveBeenCalledWith("/api/conversations/a?preview=true", expect.anything());
    await userEvent.click(screen.getByText("Erase 14 messages"));
    expect(actions.eraseConversation).toHaveBeenCalledWith("a");
    expect(location.history?.at(-1)).toBe("/");
    vi.unstubAllGlobals();
  });
});

describe("the width of the list", () => {
  it("changes by arrow keys within bounds, and is kept", async () => {
    open();
    const edge = screen.getByRole("separator", { name: "Width of the list" });
    edge.focus();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    expect(edge.getAttribute("aria-valuenow")).toBe("320");
    expect(localStorage.getItem("palaver.list.width")).toBe("320");
    await userEvent.keyboard("{Home}{ArrowLeft}");
    expect(edge.getAttribute("aria-valuenow")).toBe("208");
  });
});
