import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../../src/api/shapes";
import { openPage, type Page, pass } from "./page";
import { conversation, message, messages } from "./samples";
import { problem, Server } from "./server";

let server: Server;
let page: Page;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new Server();
  server.install();
  server.begin("conv-a");
  server.begin("conv-b");
  page = await openPage();
  void page.show("conv-a");
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

const MAKING = { conversationId: "conv-a", messageId: "reply-1" };
const started = () => server.follow("conv-a", { type: "reply_started", ...MAKING, turnNumber: 1 });
const delta = (offset: number, text: string) =>
  server.follow("conv-a", { type: "reply_delta", ...MAKING, offset, text });
const replying = () => page.state().replying["conv-a"];
const reply = (more: Partial<Message> = {}): Message =>
  message("conv-a", 2, { id: "reply-1", role: "assistant", content: "It is blue.", ...more });
const shownIds = (id: string) => page.state().transcripts[id]?.messages.map((one) => one.id);

describe("a reply in the making", () => {
  it("shows its first words at once, and the rest once per picture", async () => {
    started();
    await pass(20);
    const seen = vi.fn();
    const { useStore } = await import("../../src/state/store");
    const stop = useStore.subscribe((state, before) => {
      if (state.replying !== before.replying) seen(state.replying["conv-a"]?.text);
    });
    delta(0, "It ");
    await pass(1);
    expect(seen.mock.calls).toEqual([["It "]]);
    for (const [offset, text] of [
      [3, "is "],
      [6, "blue"],
      [10, "."],
    ] as const) {
      delta(offset, text);
    }
    await pass(40);
    expect(seen.mock.calls).toEqual([["It "], ["It is blue."]]);
    stop();
  });

  it("gives way to the message that is stored, without a moment of both or none", async () => {
    started();
    delta(0, "It is");
    await pass(50);
    const { useStore } = await import("../../src/state/store");
    const both: boolean[] = [];
    const stop = useStore.subscribe((state) => {
      const isThere = state.transcripts["conv-a"]?.messages.some(({ id }) => id === "reply-1");
      both.push(isThere === (state.replying["conv-a"] !== undefined));
    });
    server.happen({ type: "conversation_updated", conversationId: "conv-a", turn: reply() });
    delta(5, " blue.");
    server.follow("conv-a", {
      type: "reply_finished",
      conversationId: "conv-a",
      turn: reply(),
      newConversationId: null,
    });
    await pass(50);
    expect(both).not.toContain(true);
    expect(replying()).toBeUndefined();
    expect(shownIds("conv-a")).toEqual(["reply-1"]);
    stop();
  });

  it("is told again where a part is missing, and stays until it is", async () => {
    started();
    delta(0, "It ");
    await pass(50);
    delta(9, "e.");
    await pass(1);
    expect(replying()?.text).toBe("It ");
    await pass(10);
    expect(server.requests.at(-1)).toMatchObject({ type: "switch_conversation" });
    started();
    delta(0, "It is blue.");
    await pass(50);
    expect(replying()?.text).toBe("It is blue.");
  });

  it("goes when it is not told again after a cut", async () => {
    started();
    delta(0, "It ");
    await pass(50);
    server.kill();
    server.start();
    await pass(5_000);
    expect(page.state().connection.kind).toBe("open");
    expect(replying()).toBeUndefined();
  });

  it("that cannot be made leaves a problem, until another begins", async () => {
    started();
    await pass(50);
    server.follow("conv-a", {
      type: "error",
      code: "model_busy",
      message: "The model is busy.",
      remedy: "Try again.",
      conversationId: "conv-a",
    });
    await pass(50);
    expect(replying()).toBeUndefined();
    expect(page.state().replyProblems["conv-a"]).toMatchObject({ code: "model_busy" });
    started();
    await pass(50);
    expect(page.state().replyProblems["conv-a"]).toBeUndefined();
  });

  it("thinks, and uses tools", async () => {
    started();
    server.follow("conv-a", { type: "reply_thinking", ...MAKING, offset: 0, text: "Hm." });
    server.follow("conv-a", {
      type: "reply_tool",
      ...MAKING,
      toolName: "recall",
      state: "started",
    });
    await pass(150);
    expect(replying()).toMatchObject({
      thinking: "Hm.",
      tools: [{ toolName: "recall", state: "started" }],
    });
  });

  it("is not begun again by what is told late", async () => {
    server.happen({ type: "conversation_updated", conversationId: "conv-a", turn: reply() });
    await pass(50);
    started();
    await pass(150);
    expect(replying()).toBeUndefined();
  });
});

describe("what happens elsewhere", () => {
  it("marks a conversation unread until it is shown", async () => {
    const turn = message("conv-b", 5, { role: "assistant" });
    server.happen({ type: "conversation_updated", conversationId: "conv-b", turn });
    await pass(50);
    expect(page.state().unread).toEqual({ "conv-b": true });
    expect(page.state().listed).toEqual(["conv-b", "conv-a"]);
    await Promise.all([page.show("conv-b"), pass(50)]);
    expect(page.state().unread).toEqual({});
  });

  it("is asked about when nothing is known of it", async () => {
    server.rest.set("GET /api/conversations/conv-x", () => ({
      conversation: conversation("conv-x", { title: "From elsewhere" }),
      messages: [],
      hasMore: false,
    }));
    const turn = message("conv-x", 5);
    server.happen({ type: "conversation_updated", conversationId: "conv-x", turn });
    await pass(50);
    expect(page.state().conversations["conv-x"]?.title).toBe("From elsewhere");
  });

  it("renames and removes", async () => {
    server.happen({
      type: "conversation_renamed",
      conversationId: "conv-b",
      title: "Named",
      topics: ["tiles"],
    });
    await pass(50);
    expect(page.state().conversations["conv-b"]).toMatchObject({
      title: "Named",
      topics: ["tiles"],
    });
    server.happen({ type: "conversation_removed", conversationId: "conv-a" });
    await pass(50);
    expect(page.state().listed).toEqual(["conv-b"]);
    expect(page.state().missing["conv-a"]).toMatchObject({ code: "not_found" });
  });

  it("is loaded anew after a resync", async () => {
    await Promise.all([page.show("conv-b"), pass(50)]);
    server.messages.set("conv-b", messages("conv-b", 7, 9));
    for (const socket of server.sockets) {
      socket.tell({ type: "resync", eventId: 900 });
      server.answer(socket, { type: "switch_conversation", conversationId: "conv-b" });
      socket.tell({
        type: "conversation_list",
        conversations: [conversation("conv-b")],
        nextCursor: null,
        eventId: 900,
      });
    }
    await pass(50);
    expect(Object.keys(page.state().transcripts)).toEqual(["conv-b"]);
    expect(page.state().transcripts["conv-b"]?.messages).toHaveLength(3);
    expect(page.state().listed).toEqual(["conv-b"]);
  });
});

describe("showing", () => {
  it("says that a conversation is not there", async () => {
    await Promise.all([page.show("conv-z"), pass(50)]);
    expect(page.state().missing["conv-z"]).toMatchObject({ code: "not_found" });
  });

  it("says so when the page begins there, and works otherwise", async () => {
    end();
    page = await openPage();
    void page.show("conv-z");
    end = page.begin();
    await pass(2_000);
    expect(page.state().missing["conv-z"]).toMatchObject({ status: 404 });
    expect(page.state().connection.kind).toBe("open");
    expect(page.state().isListed).toBe(true);
  });

  it("does without a socket, where only requests pass", async () => {
    end();
    server.hasSockets = false;
    for (const id of ["conv-a", "conv-b"]) {
      const view = { conversation: conversation(id), messages: messages(id, 1, 3), hasMore: false };
      server.rest.set(`GET /api/conversations/${id}`, () => view);
    }
    page = await openPage();
    void page.show("conv-a");
    end = page.begin();
    await pass(100);
    expect(page.state().connection).toMatchObject({ kind: "away", because: { code: "no_socket" } });
    expect(shownIds("conv-a")).toHaveLength(3);
    expect(page.state().listed).toHaveLength(2);
    await Promise.all([page.show("conv-b"), pass(20)]);
    expect(shownIds("conv-b")).toHaveLength(3);
    await Promise.all([page.show("conv-z"), pass(20)]);
    expect(page.state().missing["conv-z"]).toMatchObject({ status: 404 });
  });

  it("keeps what is there until the new is, and asks once", async () => {
    server.messages.set("conv-b", messages("conv-b", 1, 60));
    await Promise.all([page.show("conv-b"), pass(50)]);
    expect(page.state().transcripts["conv-b"]).toMatchObject({ hasEarlier: true, hasLater: false });
    const before = server.requests.length;
    await page.show("conv-b");
    await pass(50);
    expect(server.requests.length).toBe(before);
  });

  it("opens at a message in the middle, and goes on to the end", async () => {
    const all = messages("conv-b", 1, 200);
    server.messages.set("conv-b", all);
    server.rest.set("GET /api/conversations/conv-b/messages", (_, url) => {
      const { around, after } = Object.fromEntries(url.searchParams);
      const at = all.findIndex(({ id }) => id === (around ?? after));
      const found = around ? all.slice(at - 25, at + 25) : all.slice(at + 1, at + 51);
      return { messages: found, hasMore: found.at(-1) !== all.at(-1) };
    });
    await Promise.all([page.show("conv-b", "msg-conv-b-100"), pass(50)]);
    expect(shownIds("conv-b")).toContain("msg-conv-b-100");
    expect(page.state().transcripts["conv-b"]).toMatchObject({ hasEarlier: true, hasLater: true });
    await Promise.all([page.loadLater("conv-b"), pass(50)]);
    await Promise.all([page.loadLater("conv-b"), pass(50)]);
    expect(page.state().transcripts["conv-b"]).toMatchObject({ hasLater: false, loading: null });
    expect(shownIds("conv-b")?.at(-1)).toBe("msg-conv-b-200");
    await Promise.all([page.show("conv-b", "msg-conv-b-40"), pass(50)]);
    expect(page.state().transcripts["conv-b"]?.hasLater).toBe(true);
    await Promise.all([page.loadEnd("conv-b"), pass(50)]);
    expect(shownIds("conv-b")?.at(-1)).toBe("msg-conv-b-200");
    expect(page.state().transcripts["conv-b"]?.hasLater).toBe(false);
  });

  it("does not ask again and again for what cannot be had", async () => {
    server.messages.set("conv-b", messages("conv-b", 1, 60));
    await Promise.all([page.show("conv-b"), pass(50)]);
    const name = "GET /api/conversations/conv-b/messages";
    const asked = () => server.asked.filter((one) => one === name).length;
    server.rest.set(name, () => problem(503, "storage_busy"));
    await Promise.all([page.loadEarlier("conv-b"), pass(20)]);
    await Promise.all([page.loadEarlier("conv-b"), pass(20)]);
    expect(asked()).toBe(1);
    server.rest.set(name, () => ({ messages: messages("conv-b", 1, 10), hasMore: false }));
    await pass(3_000);
    await Promise.all([page.loadEarlier("conv-b"), pass(20)]);
    expect(shownIds("conv-b")).toHaveLength(60);
  });

  it("shows the end where the message is gone", async () => {
    server.messages.set("conv-b", messages("conv-b", 1, 3));
    await Promise.all([page.show("conv-b", "msg-gone"), pass(50)]);
    expect(shownIds("conv-b")).toHaveLength(3);
    expect(page.state().notices).toMatchObject([{ text: "That message is not here any more." }]);
  });

  it("is told when nobody is signed in any more", async () => {
    for (const name of ["GET /api/me", "GET /api/models", "GET /api/health"]) {
      server.rest.set(name, () => problem(401, "sign_in_required"));
    }
    await Promise.all([page.refreshMe(), pass(50)]);
    expect(page.state().connection).toEqual({ kind: "signed-out" });
    expect(server.sockets.size).toBe(0);
  });
});
