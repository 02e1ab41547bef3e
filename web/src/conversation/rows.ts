// What stands in a transcript, one row below the other: what was said, what is on its way, and the
// reply that is being made. A message keeps its row while it becomes the next of these.
import type { Message } from "../api/shapes";
import { keyOf } from "../state/ids";
import type { Outgoing, Replying } from "../state/model";

export interface Row {
  key: string;
  message: Message;
  /** It is on its way, and not yet with the server. */
  outgoing: Outgoing | null;
}

const BARE: Omit<Message, "id" | "conversationId" | "role" | "content" | "timestamp"> = {
  seq: 0,
  parts: null,
  turnNumber: 0,
  channel: null,
  sender: null,
  author: null,
  model: null,
  thinkingText: null,
  usage: null,
  cost: null,
  toolCalls: null,
  suggestedValues: null,
  suggestedActions: null,
  customPayload: null,
  intent: null,
  actionName: null,
  jobRefs: null,
  sources: [],
  key: null,
  replyTo: null,
  supersedes: null,
  status: "complete",
  delivery: null,
};

/** What the user has said keeps the row it had on its way. */
const rowOf = (message: Message): string =>
  (message.role === "user" ? keyOf(message) : null) ?? message.id;

export const said = (message: Message): Row => ({
  key: rowOf(message),
  message,
  outgoing: null,
});

export const onItsWay = (outgoing: Outgoing): Row => ({
  key: outgoing.key,
  message: {
    ...BARE,
    id: outgoing.key,
    conversationId: outgoing.place,
    role: "user",
    content: outgoing.text,
    timestamp: new Date(outgoing.at).toISOString(),
  },
  outgoing,
});

export const beingMade = (id: string, replying: Replying, since: string): Row => ({
  key: replying.messageId,
  message: {
    ...BARE,
    id: replying.messageId,
    conversationId: id,
    role: "assistant",
    content: replying.text,
    timestamp: since,
    turnNumber: replying.turnNumber,
    thinkingText: replying.thinking || null,
    toolCalls: replying.tools.length ? replying.tools.map((tool) => ({ ...tool })) : null,
    status: "streaming",
  },
  outgoing: null,
});

/** A reply that is stored is among the last: with thousands, nobody looks through all at each word. */
const RECENT = 10;

/** What is below the stored messages. */
export function tail(
  id: string,
  stored: readonly Message[],
  outbox: readonly Outgoing[],
  replying: Replying | undefined,
): Row[] {
  const rows: Row[] = [];
  const last = stored.at(-1);
  if (replying && !stored.slice(-RECENT).some((one) => one.id === replying.messageId)) {
    rows.push(beingMade(id, replying, last?.timestamp ?? new Date().toISOString()));
  }
  for (const outgoing of outbox) if (outgoing.place === id) rows.push(onItsWay(outgoing));
  return rows;
}
