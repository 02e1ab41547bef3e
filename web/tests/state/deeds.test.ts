// What people do to conversations: renaming, archiving, erasing, saying otherwise.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPage, type Page, pass } from "./page";
import { conversation, message, messages } from "./samples";
import { problem, Server } from "./server";

let server: Server;
let page: Page;
let end: () => void;
const PATH = "/api/conversations/conv-a";
const RECEIPT = { messages: 14, remains: ["The database keeps it for an hour."], erased: [] };

beforeEach(async () => {
  vi.useFakeTimers();
  server = new Server();
  server.install();
  server.begin("conv-a");
  server.conversations.set("conv-a", conversation("conv-a", { title: "Tiles" }));
  server.messages.set("conv-a", messages("conv-a", 1, 2));
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

const meta = () => page.state().conversations["conv-a"];
const done = async <T>(deed: Promise<T>): Promise<T> => (await Promise.all([deed, pass(50)]))[0];

describe("changing", () => {
  it("shows a new title at once", async () => {
    server.rest.set(`PATCH ${PATH}`, (body) => conversation("conv-a", body as object));
    const deed = page.rename("conv-a", "Bathroom");
    expect(meta()?.title).toBe("Bathroom");
    expect(await done(deed)).toBe(true);
  });

  it("takes it back, calmly, when it is refused", async () => {
    server.rest.set(`PATCH ${PATH}`, () => problem(412, "outdated", "It was changed."));
    expect(await done(page.rename("conv-a", "Bathroom"))).toBe(false);
    expect(meta()?.title).toBe("Tiles");
    expect(page.state().notices).toMatchObject([{ kind: "info", text: "It was changed." }]);
  });

  it("archives, and offers to undo it", async () => {
    server.rest.set(`PATCH ${PATH}`, (body) => conversation("conv-a", body as object));
    await done(page.archive("conv-a", true));
    expect(page.state().listed).toEqual([]);
    page.state().notices[0]?.action?.run();
    await pass(50);
    expect(page.state().listed).toEqual(["conv-a"]);
  });

  it("tells that the server is away", async () => {
    server.kill();
    expect(await done(page.rename("conv-a", "Bathroom"))).toBe(false);
    expect(page.state().notices).toMatchObject([{ kind: "problem" }]);
  });
});

describe("erasing", () => {
  const isErased = () => server.asked.includes(`DELETE ${PATH}`);

  it("hides it at once, erases it later, and tells the receipt", async () => {
    server.rest.set(`DELETE ${PATH}`, () => RECEIPT);
    page.keepDraft("conv-a", "half");
    page.eraseConversation("conv-a");
    expect(page.state()).toMatchObject({ listed: [], erasing: [{ title: "Tiles" }] });
    await pass(5_900);
    expect(isErased()).toBe(false);
    await pass(200);
    expect(isErased()).toBe(true);
    expect(page.state().erasing).toEqual([]);
    expect(meta()).toBeUndefined();
    expect(page.draftOf("conv-a")).toBe("");
    expect(page.state().notices).toMatchObject([
      { text: "Erased 14 messages of “Tiles”.", remedy: RECEIPT.remains[0] },
    ]);
  });

  it("is undone", async () => {
    page.eraseConversation("conv-a");
    await pass(3_000);
    page.undoErase("conv-a");
    await pass(10_000);
    expect(isErased()).toBe(false);
    expect(page.state()).toMatchObject({ listed: ["conv-a"], erasing: [] });
  });

  it("is done at once when the page is left", async () => {
    server.rest.set(`DELETE ${PATH}`, () => RECEIPT);
    page.eraseConversation("conv-a");
    dispatchEvent(new Event("pagehide"));
    await pass(10);
    expect(isErased()).toBe(true);
    // Whoever comes back to it is offered no Undo that undoes nothing.
    expect(page.state().erasing).toEqual([]);
  });

  it("brings it back when it is refused", async () => {
    server.rest.set(`DELETE ${PATH}`, () => problem(409, "conflict", "It is pinned."));
    page.eraseConversation("conv-a");
    await pass(6_100);
    expect(page.state()).toMatchObject({ listed: ["conv-a"], erasing: [] });
    expect(page.state().notices).toMatchObject([{ text: "It is pinned." }]);
  });

  describe("one message", () => {
    const ONE = `DELETE ${PATH}/messages/msg-conv-a-1`;
    const first = () => page.state().transcripts["conv-a"]?.messages[0];

    it("can be undone, then is done, and tells the receipt", async () => {
      server.rest.set(ONE, () => ({ ...RECEIPT, messages: 1 }));
      page.eraseMessage("conv-a", "msg-conv-a-1", "Tiles");
      const [going] = page.state().erasingMessages;
      expect(going).toMatchObject({ messageId: "msg-conv-a-1", words: "Tiles" });
      if (going) page.undoEraseMessage(going);
      await pass(10_000);
      expect(server.asked).not.toContain(ONE);
      expect(page.state().erasingMessages).toEqual([]);
      page.eraseMessage("conv-a", "msg-conv-a-1", "Tiles");
      await pass(6_100);
      expect(first()).toMatchObject({ status: "redacted", content: "" });
      expect(page.state().erasingMessages).toEqual([]);
      expect(page.state().notices).toMatchObject([{ text: "Erased 1 message." }]);
    });

    it("stays when it is refused", async () => {
      server.rest.set(ONE, () => problem(503, "storage_busy", "It is busy."));
      page.eraseMessage("conv-a", "msg-conv-a-1", "Tiles");
      await pass(6_100);
      expect(first()?.status).toBe("complete");
      expect(page.state().erasingMessages).toEqual([]);
      expect(page.state().notices).toMatchObject([{ text: "It is busy." }]);
    });
  });
});

describe("saying otherwise", () => {
  const EDIT = `PUT ${PATH}/messages/msg-conv-a-2`;
  const AGAIN = `POST ${PATH}/messages/msg-conv-a-2/regenerate`;
  const edited = message("conv-a", 3, { content: "other", supersedes: "msg-conv-a-2" });

  it("is done as soon as it is stored, before the reply is made", async () => {
    server.rest.set(EDIT, () => new Promise(() => {}));
    const deed = page.editMessage("conv-a", "msg-conv-a-2", "other");
    await pass(10);
    server.happen({ type: "conversation_updated", conversationId: "conv-a", turn: edited });
    expect(await done(deed)).toBe(true);
    expect(page.state().transcripts["conv-a"]?.messages.map(({ content }) => content)).toEqual([
      "words 1",
      "other",
    ]);
  });

  it("tells why it cannot be", async () => {
    server.rest.set(EDIT, () => problem(409, "conflict", "It is not the last one."));
    expect(await done(page.editMessage("conv-a", "msg-conv-a-2", "other"))).toBe(false);
    expect(page.state().notices).toMatchObject([{ kind: "info", text: "It is not the last one." }]);
  });

  it("asks again with the same key when no answer comes", async () => {
    const keys: unknown[] = [];
    server.rest.set(AGAIN, (body) => {
      keys.push((body as { key: string }).key);
      if (keys.length === 1) throw new TypeError("cut");
      const reply = message("conv-a", 4, { role: "assistant", supersedes: "msg-conv-a-2" });
      return { conversationId: "conv-a", turnNumber: 2, reply, newConversationId: null };
    });
    const deed = page.regenerate("conv-a", "msg-conv-a-2");
    await pass(5_000);
    await deed;
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(page.state().transcripts["conv-a"]?.messages.at(-1)?.seq).toBe(4);
  });

  it("leaves the model's trouble where the answer would be", async () => {
    server.rest.set(AGAIN, () => problem(503, "model_busy", "The model is busy."));
    await done(page.regenerate("conv-a", "msg-conv-a-2"));
    expect(page.state().replyProblems["conv-a"]).toMatchObject({ code: "model_busy" });
    expect(page.state().notices).toEqual([]);
  });
});
