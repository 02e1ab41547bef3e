// The connection: one socket that comes back by itself, and goes on after what it last heard.
import { type Refused, unreachable } from "../api/problem";
import type { Connection as Standing } from "../state/model";
import { delay } from "./backoff";
import { becauseOf, problemOf, SIGNED_OUT } from "./closing";
import type { ClientMessage, ServerMessage } from "./messages";

const SILENCE = 25_000;
const PATIENCE = 10_000;
/** A socket that has not opened by then is given up. */
const OPENING = 15_000;

/** What refuses a socket cannot be read from it, so it is asked for: "again" comes back at once. */
export type Verdict = Refused | "signed-out" | "again";

export interface Surroundings {
  /** Which conversation to begin with. */
  conversation: () => string | null;
  hear: (message: ServerMessage) => void;
  /** It is open: `shows` is the conversation it began with. */
  opened: (shows: string | null) => void;
  stands: (standing: Standing) => void;
  explain: () => Promise<Verdict>;
  socket?: (address: string) => WebSocket;
}

interface Asked {
  resolve: (answer: ServerMessage) => void;
  reject: (reason: Refused) => void;
}

export class Connection {
  readonly #around: Surroundings;
  readonly #asked = new Map<string, Asked>();
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isEnded = false;
  #after: number | null = null;
  #tries = 0;
  #since: number | null = null;
  #requests = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    if (this.#isEnded || this.#socket) return;
    clearTimeout(this.#retry);
    const shows = this.#around.conversation();
    const socket = this.#make(this.#address(shows));
    this.#socket = socket;
    this.#expect(OPENING);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#isOpen = true;
      this.#since = null;
      this.#listen();
      this.#around.stands({ kind: "open" });
      this.#around.opened(shows);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#heard(String(data));
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#closed(code, reason);
    };
  }

  /** Tries at once, whatever the wait; asks a socket that seems open whether it is. */
  tryNow(): void {
    if (this.#isOpen) this.#ask();
    else if (!this.#socket) {
      this.#tries = 0;
      this.open();
    }
  }

  end(): void {
    this.#isEnded = true;
    this.leave();
  }

  say(message: ClientMessage): boolean {
    if (!this.#isOpen) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** The answer. Rejects with the error that came for it, or when the connection went before. */
  ask(message: ClientMessage): Promise<ServerMessage> {
    this.#requests += 1;
    const requestId = `r${this.#requests}`;
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(unreachable());
      this.#asked.set(requestId, { resolve, reject });
      this.#socket?.send(JSON.stringify({ ...message, requestId }));
    });
  }

  #make(address: string): WebSocket {
    return this.#around.socket?.(address) ?? new WebSocket(address);
  }

  #address(conversation: string | null): string {
    const url = new URL("/ws", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    if (conversation !== null) url.searchParams.set("conversation", conversation);
    if (this.#after !== null) url.searchParams.set("after", String(this.#after));
    return url.href;
  }

  #heard(data: string): void {
    const message = JSON.parse(data) as ServerMessage;
    this.#listen();
    this.#tries = 0; // only what speaks is well: a socket may open and be closed at once
    this.#around.hear(message);
    // After it was taken: should that fail, it comes again.
    if (message.eventId !== undefined) this.#after = message.eventId;
    this.#answer(message);
  }

  #answer(message: ServerMessage): void {
    const asked = this.#asked.get(message.requestId ?? "");
    if (!asked || message.requestId === undefined) return;
    this.#asked.delete(message.requestId);
    if (message.type !== "error") asked.resolve(message);
    else asked.reject(problemOf(message));
  }

  /** Somebody is there; after a silence they are asked whether they still are. */
  #listen(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#ask(), SILENCE);
  }

  #ask(): void {
    this.say({ type: "ping" });
    this.#expect(PATIENCE);
  }

  #expect(within: number): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#closed(0, ""), within);
  }

  /** Closes it, and does not come back by itself. */
  leave(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    socket?.close();
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const one of asked) one.reject(unreachable());
  }

  #closed(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.leave();
    if (this.#isEnded) return;
    if (code === SIGNED_OUT) this.#around.stands({ kind: "signed-out" });
    else if (wasOpen) this.#wait(becauseOf(code, reason));
    else void this.#refused();
  }

  async #refused(): Promise<void> {
    const verdict = await this.#around.explain();
    if (this.#isEnded || this.#socket) return;
    if (verdict === "signed-out") this.#around.stands({ kind: "signed-out" });
    else if (verdict === "again") this.open();
    else this.#wait(verdict);
  }

  #wait(because: Refused): void {
    const wait = Math.max(delay(this.#tries), (because.retryAfter ?? 0) * 1000);
    this.#tries += 1;
    this.#since ??= Date.now();
    this.#around.stands({
      kind: "away",
      since: this.#since,
      nextTry: Date.now() + wait,
      because,
    });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), wait);
  }
}
