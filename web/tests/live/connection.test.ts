import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused, unreachable } from "../../src/api/problem";
import { delay } from "../../src/live/backoff";
import { Connection, type Verdict } from "../../src/live/connection";
import type { ServerMessage } from "../../src/live/messages";
import type { Connection as Standing } from "../../src/state/model";

class Socket {
  readonly sent: { type: string; requestId?: string }[] = [];
  readonly url: URL;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  isClosed = false;

  constructor(url: string) {
    this.url = new URL(url);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.isClosed = true;
  }

  tell(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: Socket[];
let standings: Standing[];
let heard: ServerMessage[];
let verdict: Verdict;
let shown: string | null;
let connection: Connection;

const last = (): Socket => sockets.at(-1) as Socket;
const standing = (): Standing | undefined => standings.at(-1);
const pong: ServerMessage = { type: "pong" };

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  standings = [];
  heard = [];
  verdict = unreachable();
  shown = "conv-a";
  connection = new Connection({
    conversation: () => shown,
    hear: (message) => heard.push(message),
    opened: () => {},
    stands: (one) => standings.push(one),
    explain: async () => verdict,
    socket: (url) => {
      const socket = new Socket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  });
  connection.open();
});

afterEach(() => {
  connection.end();
  vi.useRealTimers();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

function opened(): Socket {
  last().onopen?.();
  last().tell(pong);
  return last();
}

const closed = (code: number, reason = ""): void => last().onclose?.({ code, reason });

describe("a connection", () => {
  it("begins with the conversation that is shown", () => {
    expect(last().url.pathname).toBe("/ws");
    expect(last().url.protocol).toBe("ws:");
    expect(Object.fromEntries(last().url.searchParams)).toEqual({ conversation: "conv-a" });
    opened();
    expect(standing()).toEqual({ kind: "open" });
  });

  it("goes on after what it last heard", async () => {
    opened().tell({ type: "conversation_removed", conversationId: "conv-b", eventId: 17 });
    shown = null;
    closed(1006);
    await pass(600);
    expect(Object.fromEntries(last().url.searchParams)).toEqual({ after: "17" });
  });

  it.each([
    [1006, "", "unreachable"],
    [1012, "stopping", "stopping"],
    [1013, "index_rebuilding", "index_rebuilding"],
    [4408, "", "unreachable"],
  ])("comes back after %i, and says why it is away", async (code, reason, because) => {
    opened();
    closed(code, reason);
    expect(standing()).toMatchObject({ kind: "away", because: { code: because } });
    await pass(600);
    expect(sockets.length).toBe(2);
  });

  it("stays away when the credentials have ended, until it is told to try", async () => {
    opened();
    closed(4401);
    expect(standing()).toEqual({ kind: "signed-out" });
    await pass(60_000);
    expect(sockets.length).toBe(1);
    connection.tryNow();
    expect(sockets.length).toBe(2);
  });

  it("asks why it was refused", async () => {
    verdict = "signed-out";
    closed(1006);
    await pass(0);
    expect(standing()).toEqual({ kind: "signed-out" });
    connection.tryNow();
    verdict = "again";
    shown = null;
    closed(1006);
    await pass(0);
    expect(last().url.search).toBe("");
  });

  it("waits longer each time, and as long as it is asked to", async () => {
    closed(1006);
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await pass(0);
      const now = standing();
      if (now?.kind === "away") waits.push(now.nextTry - Date.now());
      await pass(15_001);
      closed(1006);
    }
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(7_500);
    await pass(15_001);
    verdict = new Refused("limit_reached", "Slowly.", "", 429, 40);
    closed(1006);
    await pass(0);
    expect(standing()).toMatchObject({ kind: "away", nextTry: Date.now() + 40_000 });
  });

  it("begins to count again only when somebody has spoken", async () => {
    for (let tries = 0; tries < 6; tries += 1) {
      last().onopen?.();
      closed(1013);
      await pass(15_001);
    }
    last().onopen?.();
    closed(1013);
    const now = standing();
    expect(now?.kind === "away" && now.nextTry - Date.now()).toBeGreaterThan(5_000);
  });

  it("tries at once when it is told to", async () => {
    for (let tries = 0; tries < 6; tries += 1) {
      closed(1006);
      await pass(15_001);
    }
    closed(1006);
    await pass(0);
    const before = sockets.length;
    connection.tryNow();
    expect(sockets.length).toBe(before + 1);
    connection.tryNow();
    expect(sockets.length).toBe(before + 1);
  });

  it("asks after a silence whether somebody is there, and leaves when nobody is", async () => {
    const socket = opened();
    await pass(25_000);
    expect(socket.sent).toEqual([{ type: "ping" }]);
    socket.tell(pong);
    await pass(20_000);
    expect(socket.isClosed).toBe(false);
    await pass(5_000 + 10_000);
    expect(socket.isClosed).toBe(true);
    expect(standing()).toMatchObject({ kind: "away" });
  });

  it("gives up a socket that does not open", async () => {
    await pass(15_000);
    expect(sockets[0]?.isClosed).toBe(true);
    expect(standing()).toMatchObject({ kind: "away" });
  });

  it("hears nothing from a socket that it has left", async () => {
    const socket = opened();
    closed(1006);
    socket.tell({ type: "resync" });
    expect(heard).toEqual([pong]);
  });

  it("opens no more when it is over", async () => {
    opened();
    closed(1006);
    connection.end();
    await pass(60_000);
    expect(sockets.length).toBe(1);
  });
});

describe("a request", () => {
  it("gets its own answer", async () => {
    const socket = opened();
    const first = connection.ask({ type: "ping" });
    const second = connection.ask({ type: "ping" });
    const [one, two] = socket.sent.map(({ requestId = "" }) => requestId);
    socket.tell({ ...pong, requestId: two ?? "" });
    socket.tell({
      type: "error",
      code: "not_found",
      message: "None.",
      remedy: "",
      requestId: one ?? "",
    });
    await expect(second).resolves.toMatchObject({ requestId: two });
    await expect(first).rejects.toMatchObject({ code: "not_found", message: "None." });
  });

  it("fails when the connection goes", async () => {
    opened();
    const asked = connection.ask({ type: "ping" });
    closed(1006);
    await expect(asked).rejects.toMatchObject({ code: "unreachable" });
    await expect(connection.ask({ type: "ping" })).rejects.toMatchObject({ code: "unreachable" });
  });
});

describe("a wait", () => {
  it("is between half and all of a step that doubles up to 15 seconds", () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((tries) => delay(tries, () => 1))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
    expect(delay(5, () => 0)).toBe(7_500);
  });
});
