import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPage, type Page, pass } from "./page";
import { message } from "./samples";
import { problem, Server } from "./server";

let server: Server;
let page: Page;
let end: () => void;

async function load(shown: string | null = null): Promise<void> {
  page = await openPage();
  void page.show(shown);
  end = page.begin();
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new Server();
  server.install();
  server.begin("conv-a");
  await load("conv-a");
  await pass(50);
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

const texts = (id: string): string[] =>
  page.state().transcripts[id]?.messages.map(({ content }) => content) ?? [];

describe("sending", () => {
  it("shows it at once, and is done when the server has it", async () => {
    page.send("conv-a", "hello");
    expect(page.state().outbox).toMatchObject([{ text: "hello", state: "sending" }]);
    await pass(50);
    expect(page.state().outbox).toEqual([]);
    expect(texts("conv-a")).toEqual(["hello"]);
    expect(localStorage.length).toBe(0);
  });

  it("sends one after the other in a conversation", async () => {
    for (const text of ["one", "two", "three"]) page.send("conv-a", text);
    expect(page.state().outbox.map(({ state }) => state)).toEqual([
      "sending",
      "waiting",
      "waiting",
    ]);
    await pass(100);
    expect(server.all()).toEqual(["one", "two", "three"]);
  });

  it("keeps what is sent while nobody is there, and sends it afterwards", async () => {
    server.kill();
    await pass(10);
    page.send("conv-a", "into the void");
    expect(page.state().outbox).toMatchObject([{ state: "waiting" }]);
    await pass(5_000);
    server.start();
    await pass(20_000);
    expect(server.all()).toEqual(["into the void"]);
    expect(texts("conv-a")).toEqual(["into the void"]);
    expect(page.state().outbox).toEqual([]);
  });

  it("sends it with the same key when no answer came", async () => {
    page.send("conv-a", "hello");
    await pass(1); // it is stored, and the answer is on its way
    expect(server.all()).toEqual(["hello"]);
    server.kill();
    server.start();
    await pass(20_000);
    expect(server.all()).toEqual(["hello"]);
    expect(texts("conv-a")).toEqual(["hello"]);
    expect(page.state().outbox).toEqual([]);
  });

  it("sends it after a reload", async () => {
    server.kill();
    await pass(10);
    page.send("conv-a", "before the reload");
    end();
    await load("conv-a");
    await pass(10);
    expect(page.state().outbox).toMatchObject([{ text: "before the reload" }]);
    server.start();
    await pass(20_000);
    expect(server.all()).toEqual(["before the reload"]);
    expect(localStorage.length).toBe(0);
  });

  it("does not send for somebody else who signs in", async () => {
    server.kill();
    await pass(10);
    page.send("conv-a", "private");
    end();
    server.user = "another";
    server.start();
    await load("conv-a");
    await pass(20_000);
    expect(server.all()).toEqual([]);
    end();
    server.user = "local";
    await load("conv-a");
    await pass(20_000);
    expect(server.all()).toEqual(["private"]);
  });

  it("sends what is too long for the socket by REST", async () => {
    page.send("conv-a", "é".repeat(40_000));
    await pass(50);
    expect(server.asked).toContain("POST /api/chat");
    expect(texts("conv-a")).toEqual(["é".repeat(40_000)]);
    expect(page.state().outbox).toEqual([]);
  });

  it("is taken, and answered, while conversations cannot be shown", async () => {
    end();
    server.isIndexed = false;
    for (const name of ["GET /api/me", "GET /api/models", "GET /api/health"]) {
      server.rest.set(name, () => problem(503, "index_rebuilding"));
    }
    server.rest.set("POST /api/chat", (body) => {
      const { message: text = "", key = "" } = body as Record<string, string>;
      const accepted = server.store(text, key, null);
      const { conversationId } = accepted;
      const turn = message(conversationId, 90, { role: "assistant", content: "It is blue." });
      const told = [
        ["message_accepted", { key, message: accepted }],
        ["reply_started", { conversationId, messageId: turn.id, turnNumber: 1 }],
        ["reply_delta", { conversationId, messageId: turn.id, offset: 0, text: "It is" }],
        ["reply_finished", { conversationId, turn, newConversationId: null }],
      ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      return new Response(told.join(""));
    });
    page = await openPage();
    const place = page.newPlace();
    void page.show(place);
    end = page.begin();
    await pass(50);
    page.send(place, "hello");
    await pass(100);
    expect(page.state().outbox).toEqual([]);
    expect(page.state().shown).toBe("conv-1");
    expect(texts("conv-1")).toEqual(["hello", "It is blue."]);
  });

  it("forgets the draft that was sent, and no other", async () => {
    page.keepDraft("conv-a", "hello");
    page.send("conv-a", "hello");
    expect(page.draftOf("conv-a")).toBe("");
    page.keepDraft("conv-a", "half a sen");
    page.send("conv-a", "a suggestion");
    expect(page.draftOf("conv-a")).toBe("half a sen");
  });
});

describe("what is refused", () => {
  it("stands with its message, and can be sent again", async () => {
    server.refuse = { code: "read_only" };
    page.send("conv-a", "hello");
    await pass(50);
    const [one] = page.state().outbox;
    expect(one).toMatchObject({ state: "failed", problem: { code: "read_only", remedy: "Wait." } });
    page.resend(one?.key ?? "");
    await pass(50);
    expect(texts("conv-a")).toEqual(["hello"]);
  });

  it("is taken back with its words", async () => {
    server.refuse = { code: "read_only" };
    page.send("conv-a", "hello");
    await pass(50);
    expect(page.discard(page.state().outbox[0]?.key ?? "")).toBe("hello");
    expect(page.state().outbox).toEqual([]);
    expect(localStorage.length).toBe(0);
  });

  it("holds up nothing behind it", async () => {
    server.refuse = { code: "empty_message" };
    page.send("conv-a", "one");
    page.send("conv-a", "two");
    await pass(50);
    expect(server.all()).toEqual(["two"]);
    expect(page.state().outbox).toMatchObject([{ text: "one", state: "failed" }]);
  });

  it("is sent again when a limit has passed, with the others behind it", async () => {
    server.refuse = { code: "limit_reached", retryAfter: 30 };
    page.send("conv-a", "one");
    page.send("conv-a", "two");
    await pass(20_000);
    expect(page.state().outbox).toMatchObject([
      { state: "failed", problem: { retryAfter: 30 } },
      { state: "waiting" },
    ]);
    await pass(15_000);
    expect(server.all()).toEqual(["one", "two"]);
  });

  it("is sent again by itself where that helps", async () => {
    server.refuse = { code: "storage_busy" };
    page.send("conv-a", "hello");
    await pass(1_000);
    expect(page.state().outbox).toMatchObject([
      { state: "waiting", problem: { code: "storage_busy" } },
    ]);
    await pass(5_000);
    expect(server.all()).toEqual(["hello"]);
  });

  it("gets another key where its own is spent", async () => {
    server.refuse = { code: "erased" };
    page.send("conv-a", "hello");
    await pass(50);
    const before = page.state().outbox[0]?.key ?? "";
    page.resend(before);
    await pass(50);
    expect(server.messages.get("conv-a")?.[0]?.key).not.toBe(`api:${before}`);
    expect(texts("conv-a")).toEqual(["hello"]);
  });

  it("is told of a message by REST, too", async () => {
    server.rest.set("POST /api/chat", () => problem(413, "too_large", "It is too long."));
    page.send("conv-a", "x".repeat(70_000));
    await pass(50);
    expect(page.state().outbox).toMatchObject([
      { state: "failed", problem: { code: "too_large", message: "It is too long." } },
    ]);
  });
});

describe("a conversation that begins", () => {
  it("gets its id with the first message; the others go there, too", async () => {
    const place = page.newPlace();
    const began = vi.fn();
    page.onBegan(began);
    void page.show(place);
    page.send(place, "one");
    page.send(place, "two");
    page.keepDraft(place, "thr");
    await pass(100);
    expect(began.mock.calls).toEqual([[place, "conv-1"]]);
    expect(page.state().shown).toBe("conv-1");
    expect(texts("conv-1")).toEqual(["one", "two"]);
    expect(server.messages.get("conv-a")).toEqual([]);
    expect(page.draftOf("conv-1")).toBe("thr");
    expect(page.draftOf(place)).toBe("");
  });

  it("outlives a reload before it has begun", async () => {
    server.kill();
    await pass(10);
    const place = page.newPlace();
    page.send(place, "first words");
    end();
    await load(null);
    await pass(10);
    expect(page.beginningPlace()).toBe(place);
    server.start();
    await pass(20_000);
    expect(server.messages.get("conv-1")?.map(({ content }) => content)).toEqual(["first words"]);
    expect(page.beginningPlace()).toBeNull();
  });

  it("leaves a tab that has gone elsewhere where it is", async () => {
    const place = page.newPlace();
    void page.show(place);
    page.send(place, "one");
    void page.show("conv-a");
    await pass(100);
    expect(page.state().shown).toBe("conv-a");
    expect([...server.sockets].map(({ shows }) => shows)).toEqual(["conv-a"]);
  });

  it("begins once, though the answer got lost", async () => {
    const place = page.newPlace();
    void page.show(place);
    page.send(place, "one");
    page.send(place, "two");
    await pass(1);
    expect(server.all()).toEqual(["one"]);
    server.kill();
    server.start();
    await pass(20_000);
    expect(server.conversations.size).toBe(2);
    expect(texts("conv-1")).toEqual(["one", "two"]);
  });
});
