// Conversations and messages for tests of the state: known by their place.
import type { ConversationMeta, Message } from "../../src/api/shapes";
import * as data from "../fake/data";

const BEGIN = "2026-01-01T00:00:00Z";

export const conversation = (id: string, more: Partial<ConversationMeta> = {}): ConversationMeta =>
  data.conversation({ id, title: null, created: BEGIN, updated: BEGIN, turnCount: 0, ...more });

export const message = (
  conversationId: string,
  seq: number,
  more: Partial<Message> = {},
): Message =>
  data.message({
    id: `msg-${conversationId}-${seq}`,
    conversationId,
    seq,
    content: `words ${seq}`,
    timestamp: new Date(Date.parse(BEGIN) + seq * 1000).toISOString(),
    turnNumber: seq,
    ...more,
  });

/** Messages `first` to `last` of a conversation. */
export const messages = (conversationId: string, first: number, last: number): Message[] =>
  Array.from({ length: last - first + 1 }, (_, index) => message(conversationId, first + index));
