import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openPage, type Page, pass } from "./page";
import { message } from "./samples";
import { Server } from "./server";

let server: Server;
let page: Page;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new Server();
  server.install();
  page = await openPage();
  void page.show(null);
  end = page.begin();
  await pass(50);
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

const PLACE = "new-continuous";

function continuous(): void {
  server.rest.set("POST /api/continuous/messages", (body) => {
    const { message: text, key } = body as Record<string, string>;
    if (!server.conversations.has("conv-life")) server.begin("conv-life");
    const stored = server.store(text ?? "", key ?? "", "conv-life");
    return new Response(
      `event: message_accepted\ndata: ${JSON.stringify({ key, message: stored })}\n\n`,
      { headers: { "Content-Type": "text/event-stream" } },
    );
  });
}

const texts = (): string[] =>
  page.state().transcripts["conv-life"]?.messages.map(({ content }) => content) ?? [];

it("begins by REST, and goes on by the socket", async () => {
  continuous();
  void page.showDay({
    conversationId: null,
    messages: [],
    hasMore: false,
    previousDay: null,
    nextDay: null,
  });
  page.send(PLACE, "Good morning");
  expect(page.state().outbox).toMatchObject([{ place: PLACE, text: "Good morning" }]);
  await pass(100);
  expect(server.asked).toContain("POST /api/continuous/messages");
  expect(server.requests.some(({ type }) => type === "send_message")).toBe(false);
  expect(page.state().shown).toBe("conv-life");
  expect(texts()).toEqual(["Good morning"]);
  page.send("conv-life", "And now?");
  await pass(100);
  expect(server.requests.at(-1)).toMatchObject({
    type: "send_message",
    conversationId: "conv-life",
  });
  expect(texts()).toEqual(["Good morning", "And now?"]);
});

it("keeps the first message while nobody is there, and shows it on no other page", async () => {
  server.kill();
  await pass(10);
  page.send(PLACE, "Into the void");
  expect(page.beginningPlace()).toBe(null);
  await pass(3_000);
  continuous();
  server.start();
  await pass(20_000);
  expect(server.all()).toEqual(["Into the void"]);
  expect(page.state().outbox).toEqual([]);
});

it("says what waits for an id where the conversation is by then", async () => {
  server.begin("conv-life");
  server.kill();
  await pass(10);
  page.send(PLACE, "Waits");
  void page.showDay({ ...DAY, messages: [message("conv-life", 1)], nextDay: null });
  expect(page.state().outbox).toMatchObject([{ place: "conv-life", text: "Waits" }]);
});

const DAY = {
  conversationId: "conv-life",
  hasMore: false,
  previousDay: "2026-11-16",
  nextDay: "2026-11-18",
};

it("shows a day as a stretch to which nothing new is added", async () => {
  server.begin("conv-life");
  const messages = Array.from({ length: 60 }, (_, index) => message("conv-life", index + 1));
  server.messages.get("conv-life")?.push(...messages);
  void page.showDay({ ...DAY, messages: messages.slice(0, 2) });
  await pass(50);
  expect(page.state().transcripts["conv-life"]).toMatchObject({
    hasEarlier: true,
    hasLater: true,
  });
  expect(texts()).toHaveLength(2);
  server.happen({
    type: "conversation_updated",
    conversationId: "conv-life",
    turn: message("conv-life", 61),
  });
  await pass(50);
  expect(texts()).toHaveLength(2);
  expect(page.state().missing).toEqual({});
});

it("keeps what was told at the end while the day was being loaded", async () => {
  server.begin("conv-life");
  const [one, two] = [message("conv-life", 1), message("conv-life", 2)];
  const today = { ...DAY, nextDay: null };
  void page.showDay({ ...today, messages: [one, two] });
  await pass(50);
  void page.showDay({ ...today, messages: [one] });
  expect(texts()).toHaveLength(2);
  expect(page.state().transcripts["conv-life"]?.hasLater).toBe(false);
});

it("tells that the summary of a day has changed", async () => {
  const heard: string[] = [];
  const stop = page.onSummary((day) => heard.push(day));
  server.happen({
    type: "day_summary_updated",
    date: "2026-11-18",
    conversationId: "conv-life",
  });
  await pass(50);
  stop();
  expect(heard).toEqual(["2026-11-18"]);
});
