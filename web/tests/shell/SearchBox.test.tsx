import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { SearchBox } from "../../src/shell/SearchBox";

function open(path: string) {
  const location = memoryLocation({ path, record: true });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <SearchBox />
    </Router>,
  );
  return location;
}

const box = () => screen.getByRole("searchbox", { name: "Search" });

describe("the search box", () => {
  it("goes to the results as one types, in one step of the history", async () => {
    const { history } = open("/c/a");
    await userEvent.type(box(), "pump");
    await waitFor(() => expect(history?.at(-1)).toBe("/search?q=pump"));
    await userEvent.type(box(), " loud");
    await waitFor(() => expect(history?.at(-1)).toBe("/search?q=pump+loud"));
    expect(history).toHaveLength(2);
    expect(box()).toHaveProperty("value", "pump loud");
  });

  it("goes at once on Enter, and keeps the filters", async () => {
    const { history } = open("/search?q=pump&channel=email");
    expect(box()).toHaveProperty("value", "pump");
    await userEvent.type(box(), "s{Enter}");
    expect(history?.at(-1)).toBe("/search?q=pumps&channel=email");
  });

  it("does not leave a conversation for nothing", async () => {
    const { history } = open("/c/a");
    await userEvent.type(box(), " {Enter}");
    expect(history).toEqual(["/c/a"]);
  });
});
