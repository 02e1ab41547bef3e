import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import Dialogs from "../../src/memories/Dialogs";
import MemoriesPage from "../../src/memories/MemoriesPage";
import { openMemories } from "../../src/memories/opening";
import { Notices } from "../../src/shell/Notices";
import { memoriesChanged } from "../../src/state/actions";
import { changeState, EMPTY } from "../../src/state/store";
import { serve } from "../fake/server";
import { listed, memory } from "./samples";

const LIST = "GET /api/memories?limit=100";
const WAITING = "GET /api/memories?state=waiting";
const NONE = { [WAITING]: listed() };
const OSLO = memory();
const TEA = memory({
  id: "mem-2",
  type: "preference",
  content: "Likes tea.",
  accessCount: 4,
  lastAccessedAt: new Date(Date.now() - 86_400_000).toISOString(),
  category: "food",
});

beforeEach(() => {
  changeState({ ...EMPTY, me: null }, true);
  openMemories(null);
  navigate("/memories");
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  navigate("/");
});

const show = () =>
  render(
    <>
      <MemoriesPage />
      <Dialogs />
      <Notices />
    </>,
  );
const row = (name: string) => screen.findByRole("article", { name });

test("they stand grouped by type, with how sure, how often and since when", async () => {
  serve({ ...NONE, [LIST]: listed(TEA, OSLO) });
  show();
  const oslo = await row("Moved to Oslo.");
  expect(screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent)).toEqual([
    "Facts",
    "Preferences",
  ]);
  expect(within(oslo).getByText("quite sure").title).toBe("Confidence: 93 %");
  expect(within(oslo).getByRole("link", { name: "Source 1" }).getAttribute("href")).toBe(
    "/c/conv-1#msg-1",
  );
  expect(within(await row("Likes tea.")).getByText("used 4 times, last yesterday")).toBeTruthy();
});

test("an empty store says one sentence and offers one thing", async () => {
  serve({ ...NONE, [LIST]: listed() });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Add the first memory" }));
  expect(document.activeElement).toBe(screen.getByLabelText("What to remember"));
});

test("what is typed is looked for, and stands in the address", async () => {
  const fake = serve({ ...NONE, [LIST]: listed(OSLO), "GET /api/memories?q=tea": listed(TEA) });
  show();
  await row("Moved to Oslo.");
  await userEvent.type(screen.getByRole("searchbox", { name: "Search the memories" }), "tea");
  await row("Likes tea.");
  expect(location.search).toBe("?q=tea");
  expect(fake.asked).toContain("GET /api/memories?q=tea&limit=100");
  expect(screen.getByText("1 memory, best first.")).toBeTruthy();
});

test("filters stand in the address, too", async () => {
  const fake = serve({ ...NONE, "GET /api/memories": listed(TEA) });
  show();
  await row("Likes tea.");
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Preferences");
  await userEvent.selectOptions(screen.getByLabelText("Category"), "food");
  expect(location.search).toBe("?type=preference&category=food");
  await userEvent.click(screen.getByRole("link", { name: "Archived" }));
  const asked = "GET /api/memories?archived=true&type=preference&category=food&limit=100";
  await waitFor(() => expect(fake.asked).toContain(asked));
});

test("one is edited in its place, by keys; only what changed is sent", async () => {
  const fake = serve({
    ...NONE,
    [LIST]: listed(OSLO),
    "PUT /api/memories/mem-1": { ...OSLO, content: "Lives in Oslo." },
  });
  show();
  (await row("Moved to Oslo.")).focus();
  await userEvent.keyboard("e");
  const box = screen.getByLabelText<HTMLTextAreaElement>("What to remember");
  await userEvent.clear(box);
  await userEvent.type(box, "Lives in Oslo.{Enter}");
  const changed = await row("Lives in Oslo.");
  expect(document.activeElement).toBe(changed);
  expect(fake.bodies[fake.asked.indexOf("PUT /api/memories/mem-1")]).toEqual({
    content: "Lives in Oslo.",
  });
});

test("a refused memory stays in the form, with the reason", async () => {
  serve({ ...NONE, [LIST]: listed(OSLO), "POST /api/memories": 422 });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Add" }));
  await userEvent.type(screen.getByLabelText("What to remember"), "My password is x{Enter}");
  expect(await screen.findByText("It was refused. Try it later.")).toBeTruthy();
  expect(screen.getByDisplayValue("My password is x")).toBeTruthy();
});

test("what is too long is told, not cut", async () => {
  const fake = serve({ ...NONE, [LIST]: listed(OSLO) });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Add" }));
  const box = screen.getByLabelText<HTMLTextAreaElement>("What to remember");
  await userEvent.clear(box);
  await userEvent.paste(`${"\u{1F600}".repeat(2000)} ab`);
  const told = "A memory has at most 2,000 characters: 3 characters too many.";
  expect(screen.getByText(told).getAttribute("role")).toBe("status");
  expect(box.value.endsWith(" ab")).toBe(true);
  await userEvent.type(box, "{Enter}");
  expect(fake.asked).not.toContain("POST /api/memories");
  await userEvent.type(box, "{Backspace}{Backspace}");
  expect(screen.queryByText(/too many/)).toBeNull();
});

test("one is pinned and unpinned", async () => {
  const fake = serve({
    ...NONE,
    [LIST]: listed(OSLO),
    "PUT /api/memories/mem-1": { ...OSLO, pinned: true },
  });
  show();
  const pin = await screen.findByRole("button", { name: "Pin “Moved to Oslo.”" });
  expect(pin.getAttribute("aria-pressed")).toBe("false");
  await userEvent.click(pin);
  await waitFor(() => expect(pin.getAttribute("aria-pressed")).toBe("true"));
  expect(fake.bodies[fake.asked.indexOf("PUT /api/memories/mem-1")]).toEqual({ pinned: true });
});

test("what was true before is told with its end", async () => {
  const berlin = memory({
    id: "mem-0",
    content: "Lives in Berlin.",
    validFrom: "2024-05-01T12:00:00Z",
    supersededBy: "mem-1",
  });
  const change = { at: OSLO.created, event: "added", by: "offline", content: OSLO.content };
  const fake = serve({
    ...NONE,
    "POST /api/memories/mem-0/restore": { ...berlin, supersededBy: null },
    "GET /api/memories/mem-1/history": {
      memory: OSLO,
      before: [berlin],
      after: [],
      changes: [change],
    },
  });
  navigate("/memories?memory=mem-1");
  show();
  const history = await screen.findByRole("list", { name: "What was true when" });
  const [first, last] = within(history).getAllByRole("listitem");
  expect(first?.textContent).toContain("Lives in Berlin.");
  expect(first?.textContent).toContain("until 3 March");
  expect(last?.textContent).toContain("since 3 March");
  expect(screen.getByText(/Noted by the offline assistant/)).toBeTruthy();
  expect(within(last as HTMLElement).queryByRole("button")).toBeNull();
  await userEvent.click(within(history).getByRole("button", { name: /^Both are true/ }));
  expect(await screen.findByText("“Lives in Berlin.” holds again.")).toBeTruthy();
  expect(fake.asked).toContain("POST /api/memories/mem-0/restore");
});

test("one that is forgotten by now says so", async () => {
  serve({ ...NONE });
  navigate("/memories?memory=mem-9");
  show();
  expect(await screen.findByText("This memory has been forgotten.")).toBeTruthy();
});

const receipt = (preview: boolean, messages: number) => ({
  preview,
  memories: [OSLO],
  messages,
  erased: ["Its evidence."],
  restored: [memory({ id: "mem-0", content: "Lives in Berlin." })],
  remains: messages ? [] : ["The words stay in the message."],
});

test("forgetting shows what goes, waits for Undo, and gives the receipt", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const path = "DELETE /api/memories/mem-1";
  const fake = serve({
    ...NONE,
    [LIST]: listed(OSLO),
    [path]: receipt(false, 1),
    [`${path}?preview=true`]: receipt(true, 0),
    [`${path}?everywhere=true&preview=true`]: receipt(true, 1),
  });
  const forget = async () => {
    (await row("Moved to Oslo.")).focus();
    await person.keyboard("{Delete}");
    const box = await screen.findByLabelText(/Also erase the messages it came from/);
    expect(screen.getByText("The words stay in the message.")).toBeTruthy();
    const back = screen.getByRole("list", { name: "What holds again" });
    expect(back.textContent).toBe("Lives in Berlin.");
    await person.click(box);
    const name = "Forget 1 memory and erase 1 message";
    await person.click(await screen.findByRole("button", { name }));
    expect(screen.queryByRole("article")).toBeNull();
  };
  show();
  await forget();
  await person.click(screen.getByRole("button", { name: "Undo" }));
  await row("Moved to Oslo.");
  vi.advanceTimersByTime(10_000);
  expect(fake.asked).not.toContain(`${path}?everywhere=true`);
  await forget();
  vi.advanceTimersByTime(6_100);
  expect(
    await screen.findByText(
      /^Forgot 1 memory and erased 1 message. .Lives in Berlin.. holds again.$/,
    ),
  ).toBeTruthy();
  expect(fake.asked).toContain(`${path}?everywhere=true`);
  expect(screen.queryByRole("article")).toBeNull();
  vi.useRealTimers();
});

test("a failed forgetting brings it back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const path = "DELETE /api/memories/mem-1";
  serve({
    ...NONE,
    [LIST]: listed(OSLO),
    [path]: 500,
    [`${path}?preview=true`]: receipt(true, 0),
  });
  show();
  (await row("Moved to Oslo.")).focus();
  await person.keyboard("{Delete}");
  await person.click(await screen.findByRole("button", { name: "Forget 1 memory" }));
  vi.advanceTimersByTime(6_100);
  expect(await screen.findByText(/It was refused/)).toBeTruthy();
  await row("Moved to Oslo.");
  vi.useRealTimers();
});

test("everything about a word is forgotten by the same dialog", async () => {
  const fake = serve({
    ...NONE,
    [LIST]: listed(OSLO, TEA),
    "DELETE /api/memories?about=Oslo&preview=true": receipt(true, 0),
  });
  show();
  await row("Moved to Oslo.");
  await userEvent.click(screen.getByRole("button", { name: "More for memories" }));
  await userEvent.click(screen.getByRole("menuitem", { name: /about a word/, hidden: true }));
  await userEvent.type(screen.getByLabelText("A word, a name, a place"), "Oslo");
  await userEvent.click(await screen.findByRole("button", { name: "Forget 1 memory" }));
  expect(screen.queryByRole("article", { name: "Moved to Oslo." })).toBeNull();
  expect(screen.getByRole("article", { name: "Likes tea." })).toBeTruthy();
  expect(fake.asked).toContain("DELETE /api/memories?about=Oslo&preview=true");
});

test("those that wait are approved, edited and rejected by keys, one after the other", async () => {
  const waits = (id: string, content: string) => memory({ id, content, state: "waiting" });
  const all = [waits("mem-a", "One."), waits("mem-b", "Two."), waits("mem-c", "Three.")];
  const kept: Record<string, unknown> = { [WAITING]: listed(...all) };
  const fake = serve(kept);
  const gone = (id: string) => {
    const at = all.findIndex((one) => one.id === id);
    all.splice(at, 1);
    kept[WAITING] = listed(...all);
  };
  kept["POST /api/memories/mem-a/approve"] = memory({ id: "mem-a", content: "One." });
  kept["POST /api/memories/mem-b/approve"] = memory({ id: "mem-b", content: "Two, exactly." });
  kept["PUT /api/memories/mem-b"] = waits("mem-b", "Two, exactly.");
  navigate("/memories?show=waiting");
  show();
  (await row("One.")).focus();
  gone("mem-a");
  await userEvent.keyboard("a");
  await waitFor(() => expect(document.activeElement?.id).toBe("mem-b"));
  expect(fake.asked).toContain("POST /api/memories/mem-a/approve");

  await userEvent.keyboard("e");
  await userEvent.type(screen.getByLabelText("What to remember"), "!");
  gone("mem-b");
  await userEvent.click(screen.getByRole("button", { name: "Save and approve" }));
  await waitFor(() => expect(fake.asked).toContain("POST /api/memories/mem-b/approve"));
  expect(fake.bodies[fake.asked.indexOf("PUT /api/memories/mem-b")]).toEqual({ content: "Two.!" });

  (await row("Three.")).focus();
  await userEvent.keyboard("r");
  expect(screen.queryByRole("article")).toBeNull();
  expect(screen.getByText("“Three.” is being rejected.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
});

test("an audit tells the shares, and one key puts a finding right", async () => {
  const finding = {
    kind: "junk",
    memoryIds: ["mem-1"],
    reason: "It says nothing.",
    fix: "archive",
    memories: [OSLO],
  };
  const shares = { junk: 0.5, duplicate: 0, unsupported: 0, contradictory: 0, stale: 0 };
  const answers: Record<string, unknown> = {
    ...NONE,
    "GET /api/memories/audit": { total: 2, shares, findings: [finding] },
    "POST /api/memories/audit": { changed: [OSLO] },
  };
  const fake = serve(answers);
  navigate("/memories?show=audit");
  show();
  const found = await screen.findByRole("article", { name: "Junk It says nothing." });
  expect(screen.getByText("50 %").textContent).toContain("50 %");
  found.focus();
  answers["GET /api/memories/audit"] = { total: 1, shares, findings: [] };
  await userEvent.keyboard("f");
  await waitFor(() => expect(screen.queryByRole("article")).toBeNull());
  expect(fake.bodies[fake.asked.indexOf("POST /api/memories/audit")]).toEqual({
    kind: "junk",
    memoryIds: ["mem-1"],
  });
});

test("what changes elsewhere shows without a word", async () => {
  const answers: Record<string, unknown> = { ...NONE, [LIST]: listed(OSLO) };
  serve(answers);
  show();
  await row("Moved to Oslo.");
  answers[LIST] = listed(TEA, OSLO);
  act(() => memoriesChanged());
  await row("Likes tea.");
});

test("extraction shows what would be added, and adds it", async () => {
  const done = {
    by: "offline",
    added: [OSLO],
    waiting: [],
    merged: [],
    superseded: [{ memoryId: "mem-0", by: "mem-1" }],
    skipped: [{ quote: "Good morning!", reason: "Small talk." }],
  };
  const fake = serve({
    ...NONE,
    [LIST]: listed(TEA),
    "GET /api/conversations?limit": {
      conversations: [{ id: "conv-1", title: "The move", mode: "standard", updated: OSLO.created }],
      nextCursor: null,
    },
    "GET /api/conversations?mode=continuous": { conversations: [], nextCursor: null },
    "POST /api/memories/extract": done,
  });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Extract…" }));
  await userEvent.click(await screen.findByRole("button", { name: /The move/ }));
  expect((await screen.findByRole("region", { name: "Would be added" })).textContent).toContain(
    "Moved to Oslo.",
  );
  expect(screen.getByText("1 older memory would be replaced.")).toBeTruthy();
  expect(screen.getByText("Left out: 1 passage")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Add 1 memory" }));
  expect(await screen.findByText("Added 1 memory.")).toBeTruthy();
  const bodies = fake.bodies.filter((_, index) => fake.asked[index]?.includes("extract"));
  expect(bodies).toEqual([
    { conversationId: "conv-1", dryRun: true },
    { conversationId: "conv-1" },
  ]);
});

test("words of a message are remembered with where they stand", async () => {
  const fake = serve({ "POST /api/memories": OSLO });
  render(<Dialogs />);
  act(() =>
    openMemories({
      kind: "remember",
      conversationId: "conv-1",
      messageId: "msg-1",
      content: "Hello! I moved to Oslo in March.",
      quote: "I moved to Oslo in March",
    }),
  );
  const box = await screen.findByLabelText<HTMLTextAreaElement>("What to remember");
  expect(box.value).toBe("I moved to Oslo in March");
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Decision");
  await userEvent.click(screen.getByRole("button", { name: "Remember" }));
  await waitFor(() => expect(screen.queryByLabelText("What to remember")).toBeNull());
  expect(fake.bodies).toEqual([
    {
      content: "I moved to Oslo in March",
      type: "decision",
      sourceConversationId: "conv-1",
      sourceMessageId: "msg-1",
      quote: "I moved to Oslo in March",
    },
  ]);
});
