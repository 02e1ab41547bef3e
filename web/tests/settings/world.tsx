// A server that answers as a test wants, and somebody who is signed in.
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import type { Me, ModelInfo, ModelList, ServedHealth } from "../../src/api/shapes";
import { changeState, EMPTY } from "../../src/state/store";

export const ME: Me = {
  user: "local",
  timezone: "Europe/Lisbon",
  model: "offline",
  chosen: [],
  name: "Ana",
  scopes: ["read", "chat", "write", "recall", "memory:read", "memory:write", "admin"],
  assistant: "Palaver",
};

export const OFFLINE: ModelInfo = {
  name: "offline",
  model: "offline",
  provider: "offline",
  connected: true,
  window: 200_000,
  inputPrice: null,
  outputPrice: null,
  kind: "offline",
};

export const SONNET: ModelInfo = {
  name: "sonnet",
  model: "claude-sonnet-5-5",
  provider: "anthropic",
  connected: true,
  window: 1_000_000,
  inputPrice: 2,
  outputPrice: 10,
  kind: "connected",
};

export const MODELS: ModelList = { models: [OFFLINE, SONNET], usual: "offline" };

export const HEALTH: ServedHealth = {
  status: "ok",
  detail: "",
  done: 0,
  total: 0,
  lost: [],
  started: {
    streamsRead: 0,
    linesCaughtUp: 0,
    tornEndsMended: 0,
    redactionsFinished: 0,
    streamsMadeAgain: 0,
    rebuild: "none",
    messagesAnswered: 0,
    digestsQueued: null,
    milliseconds: 1,
  },
};

type Answer = (body: unknown) => unknown;

/** What was asked of the server: "PATCH /api/me" and the body. */
export const asked: { what: string; body: unknown }[] = [];
let answers: Record<string, Answer> = {};

export class Refusal {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly remedy: string,
  ) {}
}

/** How the server answers from now on, by "METHOD /path". */
export const answer = (more: Record<string, Answer>): void => {
  answers = { ...answers, ...more };
};

async function fakeFetch(path: string, options: RequestInit = {}): Promise<Response> {
  const what = `${options.method ?? "GET"} ${path}`;
  const body: unknown = typeof options.body === "string" ? JSON.parse(options.body) : null;
  asked.push({ what, body });
  const given = answers[what]?.(body);
  if (given === undefined) throw new Error(`Nobody answers ${what}`);
  if (given instanceof Refusal) return Response.json({ ...given }, { status: given.status });
  return Response.json(given);
}

beforeEach(() => {
  asked.length = 0;
  answers = {};
  vi.stubGlobal("fetch", fakeFetch);
  changeState({ ...EMPTY, me: ME, models: MODELS, health: HEALTH, isListed: true }, true);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
