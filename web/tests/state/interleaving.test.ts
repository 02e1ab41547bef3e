// Whatever happens to the connection, the server and the page: what was said is there once, in its
// order, and nothing is left behind.
import { afterEach, describe, expect, it, vi } from "vitest";
import { openPage, type Page, pass } from "./page";
import { Server } from "./server";

const RUNS = 40;
const STEPS = 30;

/** Numbers that look random, and are the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Trial {
  readonly server = new Server();
  readonly random: () => number;
  readonly places = ["conv-a", "conv-b"];
  readonly said = new Map<string, string[]>();
  page: Page | null = null;
  end: () => void = () => {};
  count = 0;

  constructor(seed: number) {
    this.random = random(seed);
    this.server.replies = true;
    this.server.install();
    for (const place of this.places) this.server.begin(place);
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  async load(): Promise<void> {
    this.end();
    this.page = await openPage();
    this.page.onBegan((place, id) => {
      const known = this.places.indexOf(place);
      if (known !== -1) this.places[known] = id;
      this.said.set(id, this.said.get(place) ?? []);
    });
    void this.page.show(this.pick(this.places));
    this.end = this.page.begin();
    await pass(1);
  }

  async step(): Promise<void> {
    const { page, server } = this;
    switch (this.pick(["say", "say", "say", "go", "new", "cut", "kill", "start", "load", "wait"])) {
      case "say":
        return this.say(this.pick(this.places));
      case "new": {
        const place = page?.newPlace() ?? "";
        this.places.push(place);
        this.said.set(place, []);
        if (this.random() < 0.5) void page?.show(place);
        return this.say(place);
      }
      case "go":
        void page?.show(this.pick(this.places));
        return;
      case "cut":
        for (const socket of [...server.sockets]) socket.cut(this.pick([1006, 1012, 4408]));
        return;
      case "kill":
        server.kill();
        return;
      case "start":
        server.start();
        return;
      case "load":
        await this.load();
        return;
      default:
        await pass(this.random() * 2_000);
    }
  }

  say(place: string): void {
    this.count += 1;
    const text = `message ${this.count}`;
    const said = this.said.get(place) ?? [];
    said.push(text);
    this.said.set(place, said);
    this.page?.send(place, text);
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe("whatever happens", () => {
  it.each(Array.from({ length: RUNS }, (_, seed) => seed))("is mended (%i)", async (seed) => {
    vi.useFakeTimers();
    const trial = new Trial(seed);
    await trial.load();
    for (let step = 0; step < STEPS; step += 1) {
      await trial.step();
      await pass(trial.random() * 60);
    }
    trial.server.start();
    await pass(60_000);
    const { server, page, said, places } = trial;
    const own = (id: string): string[] =>
      (server.messages.get(id) ?? [])
        .filter(({ role }) => role === "user")
        .map((one) => one.content);
    const state = page?.state();

    expect(state?.outbox).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
    expect(server.all().filter((text) => text.startsWith("message")).length).toBe(trial.count);
    for (const place of places) expect(own(place)).toEqual(said.get(place) ?? []);
    expect(state?.replying).toEqual({});
    for (const [id, transcript] of Object.entries(state?.transcripts ?? {})) {
      const stored = server.messages.get(id) ?? [];
      expect(transcript.messages.map((one) => one.id)).toEqual(stored.map((one) => one.id));
    }
    trial.end();
  });
});
