import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import type { ExternalResult, SearchPage as Page, SearchResult } from "../../src/api/shapes";
import SearchPage from "../../src/search/SearchPage";

type Asked = { address: URL; answer: (page: Partial<Page>) => void; fail: () => void };
let asked: Asked[] = [];

const RESULT: SearchResult = {
  conversationId: "conv-1",
  conversationName: null,
  title: "The login bug",
  channel: "web",
  abbreviation: "A cookie was read twice.",
  matchedTurns: [1],
  timestamp: "2026-11-10T13:05:00.000Z",
  score: 0.28,
  topics: [],
  snippet: "The login bug is in the parser.",
  highlights: [[4, 9]],
  turnRange: "turn 1",
  messageIds: ["msg-1"],
  kind: "conversation",
  explanation: { words: 0.3, otherRounds: -0.02 },
};
const NONE: Page = {
  results: [],
  totalMatches: 0,
  timeWindow: null,
  emptyWindow: null,
  nextCursor: null,
};
const result = (number: number): SearchResult => ({
  ...RESULT,
  conversationId: `conv-${number}`,
  messageIds: [`msg-${number}`],
  title: `Number ${number}`,
});

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (path: string, { signal }: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      asked.push({
        address: new URL(path, location.href),
        answer: (page) => resolve(new Response(JSON.stringify({ ...NONE, ...page }))),
        fail: () => reject(new TypeError("no network")),
      });
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  navigate("/");
});

async function go(address: string) {
  await act(async () => navigate(address));
}
async function answer(number: number, page: Partial<Page>) {
  await act(async () => asked[number]?.answer(page));
}
async function open(address: string) {
  await go(address);
  render(<SearchPage />);
}
const links = () => screen.queryAllByRole("link").map((link) => link.getAttribute("href"));

test("an answer that comes too late is dropped, and what is there stays until the next", async () => {
  await open("/search?q=lo");
  await answer(0, { results: [result(1)] });
  await go("/search?q=log");
  await go("/search?q=login");
  expect(links()).toEqual(["/c/conv-1#msg-1"]);
  await answer(2, { results: [result(3)] });
  await answer(1, { results: [result(2)] });
  expect(links()).toEqual(["/c/conv-3#msg-3"]);
});

test("filters go into the address and to the server", async () => {
  await open("/search?q=login");
  await answer(0, {});
  fireEvent.click(screen.getByRole("radio", { name: "Messages" }));
  fireEvent.change(screen.getByLabelText("Channel"), { target: { value: "email" } });
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-02-01" } });
  await act(async () => {});
  expect(location.search).toBe("?q=login&kind=message&channel=email&from=2026-02-01");
  expect(Object.fromEntries(asked.at(-1)?.address.searchParams ?? [])).toMatchObject({
    kind: "message",
    channel: "email",
    from: "2026-02-01",
  });
  fireEvent.click(screen.getByRole("button", { name: "Search all channels" }));
  await act(async () => {});
  expect(location.search).toBe("?q=login&kind=message&from=2026-02-01");
});

test("what others wrote says whose words it is, and leads to the exchange", async () => {
  await open("/search?q=flat");
  await answer(0, {});
  fireEvent.click(screen.getByRole("radio", { name: "External" }));
  await act(async () => {});
  expect(asked.at(-1)?.address.searchParams.get("kind")).toBe("external");
  const by = (outside: Partial<ExternalResult["external"]>, id: string): ExternalResult => ({
    ...RESULT,
    kind: "external",
    conversationId: "ext-1",
    title: "Bob",
    messageIds: [id],
    turnRange: "",
    abbreviation: null,
    snippet: "<b>flat</b>",
    highlights: [[3, 7]],
    explanation: { words: 0.28 },
    external: {
      by: "outsider",
      party: "bob",
      name: "Bob",
      sender: null,
      trust: "untrusted",
      claimed: false,
      ...outside,
    },
  });
  await answer(1, {
    results: [
      by({ sender: "Bob’s wife", claimed: true }, "msg-1"),
      by({ by: "assistant", trust: "known" }, "msg-2"),
      by({ by: "owner" }, "msg-3"),
    ],
  });
  const results = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(results[0]).toContain("Bob’s wife wroteNot trustednot proven<b>flat</b>");
  expect(results[1]).toContain("Reply to BobKnown<b>flat</b>");
  expect(results[2]).toContain("Your reply to BobNot trusted");
  expect(links()).toEqual([
    "/external",
    ...["msg-1", "msg-2", "msg-3"].map((id) => `/external/ext-1#${id}`),
  ]);
  expect(screen.getByRole("status").textContent).toBe(
    "3 messages, best first: with some of the words.",
  );
});

test("the time that was understood is shown, can be removed, and brought back", async () => {
  await open("/search?q=login%20yesterday");
  const timeWindow = { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z" };
  await answer(0, { results: [result(1)], timeWindow });
  expect(screen.getByText(/Understood: on Tuesday,? 10 November 2026/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Search all time" }));
  await act(async () => {});
  expect(asked[1]?.address.searchParams.get("ignoreTimePhrases")).toBe("true");
  await answer(1, { results: [result(1)] });
  fireEvent.click(screen.getByRole("button", { name: "Go by the time in the words again" }));
  await act(async () => {});
  expect(location.search).not.toContain("ignoreTimePhrases");
});

test("a window in which nothing was said is told", async () => {
  await open("/search?q=login%20yesterday");
  const emptyWindow = { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z" };
  await answer(0, { results: [result(1)], totalMatches: 1, emptyWindow });
  expect(screen.getByText(/Nothing was found on Tuesday,? 10 November 2026/)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe(
    "1 conversation, best first: with some of the words, or near in meaning.",
  );
});

test("more results follow those that are there", async () => {
  await open("/search?q=login");
  await answer(0, { results: [result(1)], nextCursor: "next" });
  fireEvent.click(screen.getByRole("button", { name: "More results" }));
  await act(async () => {});
  expect(asked[1]?.address.searchParams.get("cursor")).toBe("next");
  await answer(1, { results: [result(2)] });
  expect(links()).toEqual(["/c/conv-1#msg-1", "/c/conv-2#msg-2"]);
  expect(screen.queryByRole("button", { name: "More results" })).toBeNull();
});

test("a failure says what to do, and searching again does it", async () => {
  await open("/search?q=login");
  await act(async () => asked[0]?.fail());
  expect(screen.getByRole("alert").textContent).toContain("Palaver cannot be reached.");
  fireEvent.click(screen.getByRole("button", { name: "Search again" }));
  await answer(1, { results: [result(1)] });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(links()).toEqual(["/c/conv-1#msg-1"]);
});

test("nothing typed and nothing found say what can be done, and ask nothing in vain", async () => {
  await open("/search?q=%20");
  expect(asked).toEqual([]);
  expect(screen.getByRole("heading", { name: "What was said, found again" })).toBeTruthy();
  await go("/search?q=xyz&channel=email");
  await answer(0, {});
  expect(screen.getByRole("heading", { name: "Nothing was found" })).toBeTruthy();
  expect(links()).toEqual(["/search?q=xyz"]);
});

test("the parts of a score are told in words, and add up", async () => {
  await open("/search?q=login");
  await answer(0, { results: [RESULT] });
  const rows = screen.getAllByRole("row", { hidden: true }).map((row) => row.textContent);
  expect(rows).toEqual([
    "The words, in the whole turn0.300",
    "The other turns of the conversation−0.020",
    "Score, between 0 and 10.280",
  ]);
});

test("coming back shows the results that were left, without asking again", async () => {
  await open("/search?q=login");
  await answer(0, { results: [result(1), result(2)], nextCursor: null });
  fireEvent.click(screen.getByRole("link", { name: /Number 2/ }));
  expect(location.pathname + location.hash).toBe("/c/conv-2#msg-2");
  cleanup();
  await open("/search?q=login");
  expect(asked).toHaveLength(1);
  expect(links()).toEqual(["/c/conv-1#msg-1", "/c/conv-2#msg-2"]);
  expect(document.activeElement?.getAttribute("href")).toBe("/c/conv-2#msg-2");
});
