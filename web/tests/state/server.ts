// A server in a few lines, which keeps what the real one promises: a key is stored once, events come
// in order and after `after`, requests are answered one after the other. It can be cut off, killed
// and started again.
import { vi } from "vitest";
import type { ConversationMeta, Message } from "../../src/api/shapes";
import type { ClientMessage, ServerMessage } from "../../src/live/messages";
import { conversation, message } from "./samples";

type Heard = ClientMessage & { requestId?: string };

export class FakeSocket {
  readonly url: string;
  readonly server: Server;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  shows: string | null = null;
  isOpen = false;
  isGone = false;

  constructor(url: string, server: Server) {
    this.url = url;
    this.server = server;
  }

  send(data: string): void {
    const heard = JSON.parse(data) as Heard;
    this.server.later(() => {
      if (!this.isGone) this.server.answer(this, heard);
    });
  }

  tell(told: ServerMessage): void {
    this.server.later(() => {
      if (!this.isGone) this.onmessage?.({ data: JSON.stringify(told) });
    });
  }

  /** The page closes it. */
  close(): void {
    this.isGone = true;
    this.server.sockets.delete(this);
  }

  /** Somebody else does: nothing that is on its way arrives. */
  cut(code = 1006, reason = ""): void {
    if (this.isGone) return;
    this.close();
    setTimeout(() => this.onclose?.({ code, reason }), 0);
  }
}

export class Server {
  readonly sockets = new Set<FakeSocket>();
  readonly conversations = new Map<string, ConversationMeta>();
  readonly messages = new Map<string, Message[]>();
  readonly requests: Heard[] = [];
  /** Every REST request, as "POST /api/chat". */
  readonly asked: string[] = [];
  /** Answers to REST requests by "METHOD /path"; what is not here is 404. */
  readonly rest = new Map<string, (body: unknown, url: URL) => unknown>();
  isUp = true;
  /** Whether a socket can be had: something on the way may let only requests pass. */
  hasSockets = true;
  /** Whether conversations can be shown: while the index is being built they cannot. */
  isIndexed = true;
  /** Whether a message gets a reply. */
  replies = false;
  /** How a message is refused, once. */
  refuse: { code: string; retryAfter?: number } | null = null;
  user = "local";
  #events: { pos: number; told: ServerMessage }[] = [];
  #keys = new Map<string, Message>();
  #pos = 0;
  #made = 0;
  #seq = 0;
  #replying: { question: Message; id: string; text: string }[] = [];

  constructor() {
    this.rest.set("GET /api/me", () => ({ user: this.user, timezone: "UTC", scopes: [] }));
    this.rest.set("GET /api/models", () => ({ models: [], usual: "offline" }));
    this.rest.set("GET /api/health", () => ({ status: "ok" }));
    this.rest.set("GET /api/conversations", () => ({
      conversations: [...this.conversations.values()],
      nextCursor: null,
    }));
    this.rest.set("POST /api/chat", (body) => {
      const { message: text, key, conversationId } = body as Record<string, string>;
      const stored = this.store(text ?? "", key ?? "", conversationId ?? null);
      return new Response(
        `event: message_accepted\ndata: ${JSON.stringify({ key, message: stored })}\n\n`,
        { headers: { "Content-Type": "text/event-stream" } },
      );
    });
  }

  /** The page meets this server from now on. */
  install(): void {
    const enter = (url: string): FakeSocket => this.#enter(url);
    class Entering {
      constructor(url: string) {
        // biome-ignore lint/correctness/noConstructorReturn: whoever connects gets one of ours
        return enter(url);
      }
    }
    vi.stubGlobal("WebSocket", Entering);
    vi.stubGlobal("fetch", (url: string, options: RequestInit = {}) => this.#fetch(url, options));
  }

  later(run: () => void): void {
    setTimeout(run, 1);
  }

  begin(id: string): void {
    this.conversations.set(id, conversation(id));
    this.messages.set(id, []);
  }

  all(): string[] {
    return [...this.messages.values()].flat().map(({ content }) => content);
  }

  /** As a power failure would: replies in the making are lost but for what is stored of them. */
  kill(): void {
    this.isUp = false;
    for (const socket of [...this.sockets]) socket.cut();
  }

  start(): void {
    this.isUp = true;
    for (const { question, id, text } of this.#replying.splice(0)) {
      this.#put(question.conversationId, id, text, "interrupted");
    }
  }

  happen(told: ServerMessage): void {
    this.#pos += 1;
    const event = { ...told, eventId: this.#pos };
    this.#events.push({ pos: this.#pos, told: event });
    for (const socket of this.sockets) if (socket.isOpen) socket.tell(event);
  }

  /** What all are told who show the conversation. */
  follow(conversationId: string, told: ServerMessage): void {
    for (const socket of this.sockets) {
      if (socket.isOpen && (socket.shows === null || socket.shows === conversationId)) {
        socket.tell(told);
      }
    }
  }

  store(text: string, key: string, place: string | null): Message {
    const known = this.#keys.get(key);
    if (known) return known;
    let id = place;
    if (id === null) {
      this.#made += 1;
      id = `conv-${this.#made}`;
      this.begin(id);
      this.happen({ type: "conversation_created", conversation: conversation(id) });
    }
    this.#seq += 1;
    const stored = message(id, this.#seq, { content: text, key: `api:${key}` });
    this.#keys.set(key, stored);
    this.messages.get(id)?.push(stored);
    this.happen({ type: "conversation_updated", conversationId: id, turn: stored });
    if (this.replies) this.#reply(stored);
    return stored;
  }

  answer(socket: FakeSocket, heard: Heard): void {
    this.requests.push(heard);
    const beside = heard.requestId === undefined ? {} : { requestId: heard.requestId };
    switch (heard.type) {
      case "ping":
        socket.tell({ type: "pong", ...beside });
        return;
      case "new_conversation":
        socket.shows = null;
        socket.tell({
          type: "conversation_loaded",
          conversation: null,
          turns: [],
          hasMore: false,
          ...beside,
        });
        return;
      case "switch_conversation":
        this.#switch(socket, heard.conversationId, beside);
        return;
      case "send_message":
        this.#say(socket, heard, beside);
        return;
      default:
    }
  }

  #switch(socket: FakeSocket, id: string, beside: object): void {
    if (!this.conversations.has(id)) {
      socket.tell({
        type: "error",
        code: "not_found",
        message: "There is none.",
        remedy: "",
        ...beside,
      });
      return;
    }
    socket.shows = id;
    socket.tell({ ...this.#loaded(id), ...beside });
    this.#retell(socket);
  }

  #say(socket: FakeSocket, heard: Heard & { type: "send_message" }, beside: object): void {
    if (this.refuse) {
      const refused = this.refuse;
      this.refuse = null;
      socket.tell({ type: "error", message: "No.", remedy: "Wait.", ...refused, ...beside });
      return;
    }
    const stored = this.store(heard.text, heard.key, heard.conversationId ?? socket.shows);
    if (heard.conversationId === undefined) socket.shows = stored.conversationId;
    socket.tell({ type: "message_accepted", key: heard.key, message: stored, ...beside });
  }

  #enter(url: string): FakeSocket {
    const socket = new FakeSocket(url, this);
    const query = new URL(url).searchParams;
    setTimeout(() => {
      const wanted = query.get("conversation");
      if (socket.isGone) return;
      if (!this.isUp || !this.hasSockets || (wanted !== null && !this.conversations.has(wanted))) {
        socket.cut();
        return;
      }
      this.sockets.add(socket);
      socket.isOpen = true;
      socket.shows = wanted ?? [...this.conversations.keys()][0] ?? null;
      socket.onopen?.();
      if (!this.isIndexed) {
        socket.cut(1013, "index_rebuilding");
        return;
      }
      const after = Number(query.get("after") ?? this.#pos);
      if (socket.shows !== null) socket.tell({ ...this.#loaded(socket.shows), eventId: after });
      const listed = [...this.conversations.values()];
      socket.tell({
        type: "conversation_list",
        conversations: listed,
        nextCursor: null,
        eventId: after,
      });
      for (const { pos, told } of this.#events) if (pos > after) socket.tell(told);
      this.#retell(socket);
    }, 1);
    return socket;
  }

  #loaded(id: string): ServerMessage {
    const all = this.messages.get(id) ?? [];
    const found = this.conversations.get(id) ?? null;
    return {
      type: "conversation_loaded",
      conversation: found,
      turns: all.slice(-50),
      hasMore: all.length > 50,
    };
  }

  #retell(socket: FakeSocket): void {
    for (const { question, id, text } of this.#replying) {
      const { conversationId } = question;
      if (socket.shows !== null && socket.shows !== conversationId) continue;
      socket.tell({
        type: "reply_started",
        conversationId,
        messageId: id,
        turnNumber: question.turnNumber,
      });
      if (text)
        socket.tell({ type: "reply_delta", conversationId, messageId: id, offset: 0, text });
    }
  }

  #reply(question: Message): void {
    const { conversationId } = question;
    const reply = { question, id: `reply-${question.id}`, text: "" };
    this.#replying.push(reply);
    this.follow(conversationId, {
      type: "reply_started",
      conversationId,
      messageId: reply.id,
      turnNumber: question.turnNumber,
    });
    const words = ["It ", "is ", "🙂 ", `${question.content}.`];
    const next = (): void => {
      if (!this.#replying.includes(reply)) return; // killed meanwhile
      const text = words.shift();
      if (text === undefined) {
        this.#replying = this.#replying.filter((one) => one !== reply);
        const turn = this.#put(conversationId, reply.id, reply.text, "complete");
        this.follow(conversationId, {
          type: "reply_finished",
          conversationId,
          turn,
          newConversationId: null,
        });
        return;
      }
      const offset = Array.from(reply.text).length;
      reply.text += text;
      this.follow(conversationId, {
        type: "reply_delta",
        conversationId,
        messageId: reply.id,
        offset,
        text,
      });
      setTimeout(next, 40);
    };
    setTimeout(next, 10);
  }

  #put(conversationId: string, id: string, content: string, status: Message["status"]): Message {
    this.#seq += 1;
    const turn = message(conversationId, this.#seq, { id, content, status, role: "assistant" });
    this.messages.get(conversationId)?.push(turn);
    this.happen({ type: "conversation_updated", conversationId, turn });
    return turn;
  }

  async #fetch(address: string, { method = "GET", body }: RequestInit): Promise<Response> {
    await new Promise((resume) => setTimeout(resume, 1));
    if (!this.isUp) throw new TypeError("Failed to fetch");
    const url = new URL(address, "http://localhost/");
    const name = `${method} ${url.pathname}`;
    this.asked.push(name);
    const answer = this.rest.get(name);
    if (!answer) return problem(404, "not_found");
    const found = await answer(typeof body === "string" ? JSON.parse(body) : null, url);
    return found instanceof Response ? found : Response.json(found);
  }
}

export const problem = (status: number, code: string, message = "No."): Response =>
  Response.json({ code, title: code, detail: message, remedy: "Look again.", status }, { status });
