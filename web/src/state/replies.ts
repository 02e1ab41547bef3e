// Replies in the making, as they are told. They change many times a second, so the store hears of
// them once per picture; only the first words are shown at once.
import type { ServerMessage } from "../live/messages";
import { OncePerFrame } from "./frames";
import type { State } from "./model";
import { asReplying, beginning, grown, type Making, used } from "./replying";
import { changeState, readState } from "./store";

/** After a conversation was loaded, a reply in it that still is being made is told again. One
 * that is not by then has ended. */
const TOLD_AGAIN_WITHIN = 1_500;

const makings = new Map<string, Making>();
const doubts = new Map<string, ReturnType<typeof setTimeout>>();
const publishing = new OncePerFrame(publish);
let published = new Map<string, Making>();
let askAgain: (conversationId: string) => void = () => {};

/** `ask` is called where a part of a reply is missing. */
export function onGap(ask: (conversationId: string) => void): void {
  askAgain = ask;
}

function publish(): void {
  const before = readState().replying;
  const replying: Record<string, State["replying"][string]> = {};
  for (const [id, making] of makings) {
    const old = before[id];
    replying[id] = old && published.get(id) === making ? old : asReplying(making);
  }
  published = new Map(makings);
  changeState({ replying });
}

/** Takes what is told of a reply. */
export function hearReply(message: ServerMessage): void {
  switch (message.type) {
    case "reply_started":
      start(message.conversationId, message.messageId, message.turnNumber);
      return;
    case "reply_delta":
    case "reply_thinking":
      grow(message.conversationId, message);
      return;
    case "reply_tool": {
      const making = makings.get(message.conversationId);
      if (making?.messageId !== message.messageId) return;
      const { toolName, state } = message;
      put(message.conversationId, {
        ...making,
        tools: used(making.tools, { toolName, state }),
      });
      publishing.soon();
      return;
    }
    case "reply_finished":
    case "conversation_removed":
      dropReply(message.conversationId);
      return;
    case "error":
      if (message.conversationId) dropReply(message.conversationId);
      return;
    case "conversation_updated":
      if (makings.get(message.conversationId)?.messageId === message.turn.id) {
        dropReply(message.conversationId);
      }
      return;
    case "resync":
      forgetReplies();
      return;
    default:
  }
}

function start(conversationId: string, messageId: string, turnNumber: number): void {
  const stored = readState().transcripts[conversationId]?.messages.findLast(
    ({ id }) => id === messageId,
  );
  if (stored?.status === "complete") return; // told late: it is there already
  const before = makings.get(conversationId);
  const isSame = before?.messageId === messageId;
  put(conversationId, beginning(messageId, turnNumber, isSame && before.stopping));
  publishing.soon();
}

function grow(
  conversationId: string,
  part: Extract<ServerMessage, { type: "reply_delta" | "reply_thinking" }>,
): void {
  const making = makings.get(conversationId);
  if (making?.messageId !== part.messageId || making.isTorn) return;
  const which = part.type === "reply_delta" ? "said" : "thought";
  const text = grown(making[which], part.offset, part.text);
  if (!text) {
    makings.set(conversationId, { ...making, isTorn: true });
    doubtReplies([conversationId]);
    askAgain(conversationId);
    return;
  }
  const isFirst = !making[which].text;
  put(conversationId, { ...making, [which]: text });
  if (isFirst) publishing.now();
  else publishing.soon();
}

function put(conversationId: string, making: Making): void {
  clearTimeout(doubts.get(conversationId));
  doubts.delete(conversationId);
  makings.set(conversationId, making);
}

/** Forgets a reply; the store is changed together with what came instead. */
export function dropReply(conversationId: string): void {
  clearTimeout(doubts.get(conversationId));
  doubts.delete(conversationId);
  makings.delete(conversationId);
}

/** It has ended, and nothing comes instead of it. */
export function endReply(conversationId: string): void {
  dropReply(conversationId);
  publish();
}

/** What is told of these is not known to go on: it goes, unless it is told again. */
export function doubtReplies(conversationIds: readonly string[]): void {
  for (const id of conversationIds) {
    clearTimeout(doubts.get(id));
    doubts.set(
      id,
      setTimeout(() => {
        dropReply(id);
        publish();
      }, TOLD_AGAIN_WITHIN),
    );
  }
}

export function markStopping(conversationId: string, stopping: boolean): void {
  const making = makings.get(conversationId);
  if (!making) return;
  makings.set(conversationId, { ...making, stopping });
  publish();
}

export function forgetReplies(): void {
  for (const id of [...makings.keys(), ...doubts.keys()]) dropReply(id);
}
