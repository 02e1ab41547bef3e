import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import type { Insights } from "../../src/api/shapes";
import InsightsPage from "../../src/insights/InsightsPage";

const BY_MODEL = { messages: 2, inputTokens: 900, outputTokens: 100, cost: 0.0042 };
const DAY = {
  ...BY_MODEL,
  messages: 4,
  turns: 2,
  day: "2026-11-10",
  models: [{ ...BY_MODEL, model: "grand" }],
};
const TOLD: Insights = {
  timezone: "Etc/UTC",
  from: "2025-11-18",
  to: "2026-11-17",
  days: [DAY],
  channels: [{ ...BY_MODEL, messages: 4, turns: 2, channel: "email" }],
  models: DAY.models,
  storage: { conversations: 3, ledgerBytes: 1801, indexBytes: null },
  index: { status: "ok", detail: "Everything can be found.", done: 0, total: 0, lost: [] },
};
let asked: string[] = [];
let told: Insights | null = TOLD;

beforeEach(() => {
  asked = [];
  told = TOLD;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (!told) throw new TypeError("no network");
    const given = new URL(path, location.href).searchParams;
    return new Response(JSON.stringify({ ...told, from: given.get("from") ?? told.from }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  navigate("/");
});

async function open(address = "/insights") {
  navigate(address);
  render(<InsightsPage />);
  await act(async () => {});
}
const fact = (name: string) => screen.getAllByText(name).at(-1)?.nextElementSibling?.textContent;

test("each number is the server's", async () => {
  await open();
  expect(
    ["Messages", "Tokens read", "Tokens written", "Cost"].map((name) => {
      const terms = screen.getAllByText(name).filter(({ tagName }) => tagName === "DT");
      return terms[0]?.nextElementSibling?.textContent;
    }),
  ).toEqual(["4", "900", "100", "$0.0042"]);
  expect([fact("Conversations"), fact("All that was said")]).toEqual(["3", "1.8 kB"]);
  expect(screen.queryByText("The index for search")).toBeNull();
});

test("the days that are chosen are asked for, and stand in the address", async () => {
  await open();
  expect(asked).toEqual(["/api/insights"]);
  fireEvent.click(screen.getByRole("radio", { name: "30 days" }));
  await act(async () => {});
  expect(location.search).toBe("?days=30");
  expect(asked.slice(1)).toEqual(["/api/insights", "/api/insights?from=2026-10-19&to=2026-11-17"]);
});

test("a day of the calendar is walked to, and leads to what was said on it", async () => {
  await open();
  const grid = screen.getByRole("grid", { name: "Messages by day" });
  const last = within(grid).getByLabelText(/No messages on Tuesday,? 17 November 2026/);
  expect(last.tabIndex).toBe(0);
  last.focus();
  fireEvent.keyDown(last, { key: "ArrowLeft" });
  expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^4 messages on Tuesday/);
  expect(document.activeElement?.getAttribute("href")).toBe("/search?q=10+November+2026");
  expect(last.tabIndex).toBe(-1);
});

test("the bars are walked by keys, and read out", async () => {
  await open("/insights?days=30");
  const chart = screen.getByRole("slider", { name: "Messages over time" });
  fireEvent.keyDown(chart, { key: "PageDown" });
  expect(chart.getAttribute("aria-valuetext")).toMatch(/^4 messages, Tuesday,? 10 November 2026/);
  fireEvent.click(screen.getByRole("radio", { name: "Cost" }));
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/^\$0\.0042/);
});

test("a failure says what to do, and asking again does it", async () => {
  told = null;
  await open();
  expect(screen.getByRole("alert").textContent).toContain("Palaver cannot be reached.");
  told = TOLD;
  fireEvent.click(screen.getByRole("button", { name: "Ask again" }));
  await act(async () => {});
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("grid")).toBeTruthy();
});

test("an empty year says so, and an index that is not well says what to do", async () => {
  told = {
    ...TOLD,
    days: [],
    models: [],
    channels: [],
    index: { ...TOLD.index, status: "degraded", detail: "Make it again." },
  };
  await open();
  expect(screen.getByRole("link", { name: "Begin a conversation" })).toBeTruthy();
  expect(screen.getByText("Make it again.")).toBeTruthy();
  expect(screen.getByRole("link", { name: /settings/ })).toBeTruthy();
});
