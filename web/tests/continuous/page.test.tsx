import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Route } from "wouter";
import { navigate } from "wouter/use-browser-location";
import type { DayView } from "../../src/api/shapes";
import ContinuousPage from "../../src/continuous/ContinuousPage";
import { summaryUpdated } from "../../src/state/days";
import { changeState, EMPTY } from "../../src/state/store";
import { ID } from "../fake/data";
import { type Fake, serve } from "../fake/server";
import { day, loop, said, source, summed, TODAY } from "./days";

let fake: Fake;
let answers: Record<string, unknown>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-18T12:00:00Z") });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1000);
  changeState({ ...EMPTY, connection: { kind: "open" } }, true);
  answers = {
    "GET /api/continuous": summed(),
    "GET /api/continuous/days": { days: [], nextCursor: null },
    "GET /api/continuous/days/": 404,
  };
  fake = serve(answers);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  navigate("/");
});

async function open(address = "/continuous") {
  await act(async () => navigate(address));
  render(
    <Route path="/continuous/:day?">{({ day: at }) => <ContinuousPage day={at ?? null} />}</Route>,
  );
  await act(async () => {});
}
const settle = () => act(async () => {});
const asked = (begin: string) => fake.asked.filter((one) => one.startsWith(begin));
const heading = () => screen.getByRole("heading", { level: 1 }).textContent;
const past = (label: string, more: Partial<DayView> = {}) =>
  summed({ day: label, nextDay: TODAY, ...more });

test("each line of the summary has its footnotes, which lead to the day", async () => {
  await open();
  expect(heading()).toContain("Today");
  const decisions = screen.getByRole("region", { name: "Decisions" });
  const marks = within(decisions).getAllByRole("link");
  expect(marks.map((one) => [one.textContent, one.getAttribute("href")])).toEqual([
    ["2", "/continuous/2026-11-18#msg-2"],
    ["3", "/continuous/2026-11-18#msg-3"],
  ]);
  expect(screen.getByText(/^Made offline/).textContent).toContain("up to 09:02");
});

test("what somebody wrote without sources stays as it was written", async () => {
  const wrong = vi.spyOn(console, "error").mockImplementation(() => {});
  const summaryMarkdown = "## Mine\nSlept.\n\nSlept.\n\n## Yours\n- Slept.\n- Slept.";
  answers["GET /api/continuous"] = summed({ summaryMarkdown, summaryLines: [] });
  await open();
  expect(screen.getAllByText("Slept.")).toHaveLength(4);
  const told = wrong.mock.calls.map(([message]) => String(message));
  expect(told.filter((one) => one.includes("key") || one.includes("nested"))).toEqual([]);
});

test("a loop tells since when it is open, and when it was closed", async () => {
  const carried = loop({ messageId: "msg-0", since: "2026-11-09" });
  const closed = { day: "2026-11-17", messageId: "msg-8", how: "withdrawn" };
  answers["GET /api/continuous"] = summed({
    loops: [carried, loop({ text: "Buy a ladder.", closed })],
    summaryLines: [{ text: "Call the roofer.", section: "", sources: [source("msg-0", "open")] }],
  });
  await open();
  const since = screen.getByRole("link", { name: "since 9 November" });
  expect(since.getAttribute("href")).toBe("/continuous/2026-11-09#msg-0");
  const done = screen.getByRole("link", { name: "withdrawn yesterday" });
  expect(done.getAttribute("href")).toBe("/continuous/2026-11-17#msg-8");
});

test("nothing said today says so, and still has the box", async () => {
  answers["GET /api/continuous"] = day({
    messages: [],
    messageCount: 0,
    conversationId: null,
    daySegmentId: null,
  });
  await open();
  expect(screen.getByText("No messages yet today.")).toBeTruthy();
  expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Regenerate summary" })).toBeNull();
});

test("the days beside are walked by keys and buttons, but not while somebody writes", async () => {
  answers["GET /api/continuous/days/2026-11-16"] = past("2026-11-16", { previousDay: null });
  await open();
  const box = screen.getByRole("textbox", { name: "Message" });
  fireEvent.keyDown(box, { key: "ArrowLeft" });
  fireEvent.keyDown(box, { key: "[" });
  expect(location.pathname).toBe("/continuous");
  fireEvent.keyDown(document.body, { key: "[" });
  await settle();
  expect(location.pathname).toBe("/continuous/2026-11-16");
  expect(heading()).toBe("Monday, 16 November 2026");
  expect(screen.getByText(/What you write goes to today/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Previous day" }).disabled).toBe(
    true,
  );
  fireEvent.keyDown(document.body, { key: "ArrowRight" });
  await settle();
  expect(location.pathname).toBe("/continuous");
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});

test("the count goes on with what is said", async () => {
  await open();
  expect(screen.getByText("4 messages")).toBeTruthy();
  const messages = [...day().messages, said(5, 3), said(6, 3)];
  const transcript = { messages, hasEarlier: false, hasLater: false, loading: null };
  await act(async () => changeState({ transcripts: { [ID]: transcript } }));
  expect(screen.getByText("6 messages")).toBeTruthy();
});

test("a day without a word says so, and knows the days beside it", async () => {
  answers["GET /api/continuous/days?"] = {
    days: [{ dayLabel: "2026-11-18" }, { dayLabel: "2026-11-09" }],
    nextCursor: null,
  };
  await open("/continuous/2026-11-12");
  expect(screen.getByText("Nothing was said on Thursday, 12 November 2026")).toBeTruthy();
  await settle();
  fireEvent.click(screen.getByRole("button", { name: "Previous day" }));
  expect(location.pathname).toBe("/continuous/2026-11-09");
});

test.each(["2026-13-45", "2026-02-30", "someday"])(
  "%s is not a day, and says so",
  async (wrong) => {
    answers["GET /api/continuous/days/"] = 400;
    await open(`/continuous/${wrong}`);
    expect(heading()).toBe(wrong);
    expect(screen.getByText(`${wrong} is not a day`)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Today" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "All days" }));
    await settle();
    expect(screen.getByRole("dialog", { name: "Days" })).toBeTruthy();
  },
);

test("today has a page before its first message, by its date too", async () => {
  answers["GET /api/continuous"] = day({ messages: [], messageCount: 0 });
  await open(`/continuous/${TODAY}`);
  expect(screen.getByText("No messages yet today.")).toBeTruthy();
});

test("what the summary covers is folded, and the last turn stays in sight", async () => {
  answers["GET /api/continuous"] = summed({ summaryCoversUntil: "msg-4" });
  await open();
  const older = screen.getByRole("button", { name: /Older messages \(2\)/ });
  expect(older.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(older);
  expect(older.getAttribute("aria-expanded")).toBe("true");
});

test("of a day that is over everything is shown, and can be folded", async () => {
  answers["GET /api/continuous/days/2026-11-16"] = past("2026-11-16", {
    summaryCoversUntil: "msg-4",
  });
  await open("/continuous/2026-11-16");
  const older = screen.getByRole("button", { name: /Older messages \(4\)/ });
  expect(older.getAttribute("aria-expanded")).toBe("true");
  fireEvent.click(older);
  expect(older.getAttribute("aria-expanded")).toBe("false");
});

test("a summary that went is said to be made again", async () => {
  answers["GET /api/continuous"] = day({ summaryDue: true });
  await open();
  expect(await screen.findByText("The summary is being made again.")).toBeTruthy();
});

test("a summary made anew is loaded when the server tells of it", async () => {
  await open();
  answers["GET /api/continuous"] = summed({ updatedAt: "2026-11-18T11:00:00Z" });
  await act(async () => summaryUpdated("2026-11-17"));
  expect(asked("GET /api/continuous")).toHaveLength(1);
  await act(async () => summaryUpdated(TODAY));
  expect(asked("GET /api/continuous")).toHaveLength(2);
  expect(screen.getAllByText("Day summary updated").length).toBeGreaterThan(0);
});

test("the summary is made again on request, and a refusal is told", async () => {
  answers["POST /api/continuous/days/2026-11-18/summary"] = { day: TODAY };
  await open();
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Regenerate summary" });
  fireEvent.click(button);
  await settle();
  expect(screen.getByText("The summary is being made…")).toBeTruthy();
  expect(button.disabled).toBe(true);
  answers["GET /api/continuous"] = summed({ updatedAt: "2026-11-18T11:00:00Z" });
  await act(async () => summaryUpdated(TODAY));
  expect(screen.queryByText("The summary is being made…")).toBeNull();
  answers["POST /api/continuous/days/2026-11-18/summary"] = 503;
  fireEvent.click(button);
  await settle();
  expect(screen.getByRole("alert").textContent).toContain("It was refused. Try it later.");
});

test("the owner's own words are kept while they are typed, and saved", async () => {
  const mine = "## Summary\nIn my own words.";
  answers["PUT /api/continuous/days/2026-11-18/summary"] = summed({
    summaryMarkdown: mine,
    summaryLines: [],
    summaryBy: "user",
    summaryEdited: true,
  });
  await open();
  fireEvent.click(screen.getByRole("button", { name: "Edit" }));
  const area = screen.getByRole("textbox", { name: "Summary as Markdown" });
  fireEvent.change(area, { target: { value: mine } });
  expect(localStorage.getItem("palaver.draft.summary.2026-11-18")).toBe(JSON.stringify(mine));
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await settle();
  expect(fake.bodies.at(-1)).toEqual({ summaryMarkdown: mine });
  expect(screen.getByText("In my own words.")).toBeTruthy();
  expect(screen.getByText(/^Written by you/)).toBeTruthy();
  expect(localStorage.getItem("palaver.draft.summary.2026-11-18")).toBe(null);
});

test("Escape leaves the summary as it was", async () => {
  await open();
  fireEvent.click(screen.getByRole("button", { name: "Edit" }));
  const area = screen.getByRole("textbox", { name: "Summary as Markdown" });
  fireEvent.change(area, { target: { value: "Half" } });
  fireEvent.keyDown(area, { key: "Escape" });
  expect(screen.queryByRole("textbox", { name: "Summary as Markdown" })).toBeNull();
  expect(localStorage.getItem("palaver.draft.summary.2026-11-18")).toBe(null);
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Day summary" }));
});

test("the search asks in its scope, and each result opens at its place", async () => {
  const user = userEvent.setup({ delay: null });
  const common = { daySegmentId: "d", highlights: [[4, 8]], score: 0.624 };
  answers["GET /api/continuous/search"] = {
    results: [
      { kind: "summary", dayLabel: "2026-11-16", summarySnippet: "The roof *leaks*.", ...common },
      {
        kind: "message",
        dayLabel: "2026-11-17",
        messageId: "msg-6",
        snippetMessageId: "msg-7",
        snippet: "the roof",
        coveredBySummary: true,
        timestamp: "2026-11-17T09:05:00Z",
        ...common,
      },
    ],
    nextCursor: null,
    timeWindow: null,
    emptyWindow: null,
  };
  await open();
  await user.type(screen.getByRole("searchbox", { name: "Search the days" }), "roof{Enter}");
  await settle();
  expect(asked("GET /api/continuous/search")[0]).toContain("query=roof&day=2026-11-18");
  const results = within(screen.getByRole("list", { name: "Results" }));
  expect(results.getAllByRole("link").map((one) => one.getAttribute("href"))).toEqual([
    "/continuous/2026-11-16#day-summary",
    "/continuous/2026-11-17#msg-7",
  ]);
  expect(results.getAllByRole("listitem")[0]?.textContent).toContain("The roof leaks.");
  expect(results.getAllByRole("listitem")[1]?.textContent).toBe(
    "Message · yesterday, 09:05score 0.62the roofcovered by the summaryOpen",
  );
  await user.selectOptions(screen.getByRole("combobox", { name: "Scope" }), "Recent (14 days)");
  await settle();
  expect(location.search).toBe("?q=roof&scope=recent");
  expect(asked("GET /api/continuous/search").at(-1)).toContain("query=roof&recencyDays=14");
});

test("a message of another day is gone to there", async () => {
  answers["GET /api/continuous/messages"] = {
    messages: [{ messageId: "msg-77", dayLabel: "2026-11-16" }],
  };
  answers["GET /api/continuous/days/2026-11-16"] = past("2026-11-16");
  await open("/continuous#msg-77");
  await settle();
  expect(location.pathname + location.hash).toBe("/continuous/2026-11-16#msg-77");
});

test("all days are a calendar and a list that goes on", async () => {
  const entry = (dayLabel: string) => ({
    dayLabel,
    daySegmentId: dayLabel,
    messageCount: 4,
    summaryMarkdown: "## Summary\nThe **roof** leaks.",
    updatedAt: null,
    closed: true,
  });
  const first = { days: [entry("2026-11-17")], nextCursor: "next" };
  answers["GET /api/continuous/days?limit=30"] = first;
  answers["GET /api/continuous/days?limit=30&cursor=next"] = {
    days: [entry("2026-11-09")],
    nextCursor: null,
  };
  answers["GET /api/continuous/days?limit=100"] = { ...first, nextCursor: null };
  await open();
  fireEvent.click(screen.getByRole("button", { name: "All days" }));
  await settle();
  const dialog = within(screen.getByRole("dialog", { name: "Days" }));
  const cell = dialog.getByRole("link", { name: /^4 messages on Tuesday,? 17 November 2026/ });
  expect(cell.getAttribute("href")).toBe("/continuous/2026-11-17");
  expect(dialog.getByText("The roof leaks.")).toBeTruthy();
  fireEvent.click(dialog.getByRole("button", { name: "Load more" }));
  await settle();
  expect(dialog.getByRole("link", { name: /9 November/ })).toBeTruthy();
  expect(dialog.queryByRole("button", { name: "Load more" })).toBeNull();
});
