// Delivery: what waits in the outbox is sent, in each place one after the other, always with its
// first key. So it is stored once, however often it is sent.
import { asRefused, type Refused } from "../api/problem";
import { bytesOf, type ClientMessage, MOST_BYTES, type ServerMessage } from "../live/messages";
import { sayByRest } from "./chat";
import { draftOf, keepDraft } from "./drafts";
import { CONTINUOUS, isNewPlace, newKey } from "./ids";
import { isByRest, line, look, lookedAt, signedOut } from "./line";
import type { Outgoing } from "./model";
import * as outbox from "./outbox";
import { readState } from "./store";

/** What passes by itself: such a message is sent again without asking. */
const PASSING = new Set([
  "unreachable",
  "stopping",
  "storage_busy",
  "storage_unreachable",
  "storage_uncertain",
  "index_rebuilding",
  "sign_in_required",
]);
const AGAIN_AFTER = 3_000;
/** With these a key is spent: the same words need another. */
const SPENT = new Set(["key_reused", "erased"]);

/** The keys of those that are on their way, or rest before they are sent again. */
const flying = new Set<string>();
const resting = new Set<string>();
const timers = new Set<ReturnType<typeof setTimeout>>();
let hear: (message: ServerMessage) => void = () => {};

/** `heard` is given what REST answers, as if the socket had said it. */
export function setHearing(heard: (message: ServerMessage) => void): void {
  hear = heard;
}

export function stopDelivery(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  flying.clear();
  resting.clear();
}

/** Sends what can be sent now. */
export function deliverAll(): void {
  const { outbox: waiting } = readState();
  if (!canTake()) return;
  const busy = new Set<string>();
  for (const one of waiting) {
    if (busy.has(one.place)) continue;
    const isBusy = flying.has(one.key) || resting.has(one.key);
    const isDue = one.state !== "failed" && !isBusy && outbox.isOwn(one.key);
    // Whatever is behind one that will be sent waits for it; what has failed for good holds up none.
    if (one.state !== "failed" || one.problem?.retryAfter) busy.add(one.place);
    if (isDue) void deliver(one);
  }
}

/** Whether a message may be taken: that goes on while conversations cannot be shown. */
const canTake = (): boolean => readState().connection.kind === "open" || isByRest();

async function deliver(one: Outgoing): Promise<void> {
  flying.add(one.key);
  outbox.mark(one.key, { state: "sending", problem: null });
  try {
    await say(one);
  } catch (error) {
    failed(one.key, asRefused(error));
  } finally {
    flying.delete(one.key);
  }
  deliverAll();
}

async function say({ place, text, key }: Outgoing): Promise<void> {
  const isTold = () => line()?.isOpen ?? false;
  if (place === CONTINUOUS) {
    await sayByRest({ message: text, key }, hear, isTold, "/api/continuous/messages");
    return;
  }
  const named = isNewPlace(place) ? {} : { conversationId: place };
  const message: ClientMessage = { type: "send_message", text, key, ...named };
  if (!line()?.isOpen || bytesOf(message) > MOST_BYTES) {
    await sayByRest({ message: text, key, ...named }, hear, isTold);
    return;
  }
  if (isNewPlace(place)) {
    // Without a name it is said where the server takes this tab to be.
    line()?.say({ type: "new_conversation" });
    lookedAt(undefined);
  }
  await line()?.ask(message);
}

function failed(key: string, problem: Refused): void {
  if (!outbox.find(key)) return; // it was stored all the same, or taken back
  const isPassing = PASSING.has(problem.code);
  outbox.mark(key, {
    state: isPassing ? "waiting" : "failed",
    problem: problem.code === "unreachable" ? null : problem,
  });
  if (problem.code === "unreachable") return; // it is sent when the connection is back
  if (problem.code === "sign_in_required") signedOut();
  else if (isPassing) rest(key);
  else if (problem.retryAfter) later(problem.retryAfter * 1000, () => resend(key));
}

function rest(key: string): void {
  resting.add(key);
  later(AGAIN_AFTER, () => {
    resting.delete(key);
    deliverAll();
  });
}

function later(ms: number, run: () => void): void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    run();
  }, ms);
  timers.add(timer);
}

/** Says something. It is on the screen at once, and kept until the server has it. */
export function send(place: string, text: string): void {
  if (draftOf(place).trim() === text.trim()) keepDraft(place, "");
  outbox.add(newKey(), place, text);
  deliverAll();
}

export function resend(key: string): void {
  const one = outbox.find(key);
  if (one?.state !== "failed") return;
  if (one.problem && SPENT.has(one.problem.code)) {
    outbox.drop(key);
    send(one.place, one.text);
  } else {
    outbox.mark(key, { state: "waiting", problem: null });
    deliverAll();
  }
}

/** Takes back what was not sent, and gives its text. */
export function discard(key: string): string {
  const text = outbox.find(key)?.text ?? "";
  outbox.drop(key);
  deliverAll();
  return text;
}

/** After a conversation has begun the server looks at it; this tab may be elsewhere by now. */
export function lookBack(): void {
  line()?.say(look());
}
