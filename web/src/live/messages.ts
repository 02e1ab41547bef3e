// What is said over the socket, in both directions (docs/reference/websocket.md).
import type {
  ConversationMeta,
  Message,
  MessageAccepted,
  ReplyDelta,
  ReplyFinished,
  ReplyStarted,
  ReplyThinking,
  ReplyTool,
  Trouble,
} from "../api/shapes";

/** What any message may carry beside its own fields. */
interface Beside {
  eventId?: number;
  requestId?: string;
}

type Said<Type extends string, Fields> = { type: Type } & Fields & Beside;

export type ServerMessage =
  | Said<
      "conversation_loaded",
      { conversation: ConversationMeta | null; turns: Message[]; hasMore: boolean }
    >
  | Said<"conversation_list", { conversations: ConversationMeta[]; nextCursor: string | null }>
  | Said<"conversation_created", { conversation: ConversationMeta }>
  | Said<"conversation_updated", { conversationId: string; turn: Message }>
  | Said<"conversation_renamed", { conversationId: string; title: string | null; topics: string[] }>
  | Said<"conversation_changed", { conversation: ConversationMeta }>
  | Said<"conversation_removed", { conversationId: string }>
  | Said<"day_summary_updated", { date: string; conversationId: string }>
  | Said<"memory_changed", { memoryId: string }>
  | Said<"external_updated", { externalId: string }>
  | Said<"resync", object>
  | Said<"messages_loaded", { conversationId: string; turns: Message[]; hasMore: boolean }>
  | Said<"message_accepted", MessageAccepted>
  | Said<"reply_started", ReplyStarted>
  | Said<"reply_delta", ReplyDelta>
  | Said<"reply_thinking", ReplyThinking>
  | Said<"reply_tool", ReplyTool>
  | Said<"reply_finished", ReplyFinished>
  | Said<"error", Trouble & { conversationId?: string; retryAfter?: number }>
  | Said<"pong", object>;

export type ClientMessage =
  | { type: "ping" }
  | { type: "new_conversation" }
  | { type: "switch_conversation"; conversationId: string }
  | { type: "send_message"; text: string; conversationId?: string; key: string }
  | { type: "stop_reply"; conversationId: string };

/** A request over the socket has at most so many bytes. */
export const MOST_BYTES = 64 * 1024;

/** How many bytes a request has on its way; its `requestId` adds less than the reserve. */
export const bytesOf = (message: ClientMessage): number =>
  new TextEncoder().encode(JSON.stringify(message)).length + 100;
