// What the page knows. Everything here can be asked for again, except what is typed and not sent.
import type { Refused } from "../api/problem";
import type {
  ChannelView,
  ConversationMeta,
  Me,
  Message,
  ModelList,
  ServedHealth,
} from "../api/shapes";

/** How the page stands with the server. */
export type Connection =
  | { kind: "connecting" }
  | { kind: "open" }
  | { kind: "away"; since: number; nextTry: number; because: Refused }
  | { kind: "signed-out" };

/** A stretch of a conversation's messages, oldest first, without gaps. */
export interface Transcript {
  messages: readonly Message[];
  /** Whether there are earlier ones on the server. */
  hasEarlier: boolean;
  /** Whether there are later ones: it was opened in the middle. Then nothing new is added. */
  hasLater: boolean;
  /** What is being fetched now. */
  loading: "earlier" | "later" | null;
}

/** A tool that is used for a reply that is being made. */
export interface ToolUse {
  toolName: string;
  state: "started" | "finished" | "failed";
}

/** A reply that is being made. */
export interface Replying {
  messageId: string;
  turnNumber: number;
  text: string;
  thinking: string;
  tools: readonly ToolUse[];
  /** Somebody here pressed Stop, and it has not ended yet. */
  stopping: boolean;
}

/** Something said here that the server has not acknowledged. Kept until it has. */
export interface Outgoing {
  key: string;
  /** Where it belongs: an id, or the local id of a conversation that begins with it. */
  place: string;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
  state: "sending" | "waiting" | "failed";
  problem: Refused | null;
}

/** Something to tell the person, in a corner, without covering what they do. */
export interface Notice {
  id: string;
  kind: "info" | "problem";
  text: string;
  remedy: string;
  action: { label: string; run: () => void } | null;
  /** Milliseconds until it goes; null stays until it is dismissed. */
  lasts: number | null;
}

/** A conversation that goes for good in a moment, unless Undo is pressed. */
export interface Erasing {
  conversationId: string;
  title: string;
  /** Whether it was being looked at. */
  wasShown: boolean;
}

/** A message that goes for good in a moment, unless Undo is pressed. */
export interface ErasingMessage {
  conversationId: string;
  messageId: string;
  /** What a person knows it by. */
  words: string;
}

/** Something that goes in a moment, unless Undo is pressed: memories, an exchange, a draft. */
export interface Forgetting {
  id: string;
  /** What is told meanwhile. */
  text: string;
  method: "DELETE" | "POST";
  path: string;
  query: Record<string, string | boolean>;
  body?: unknown;
  /** Those with these ids are not shown until then. */
  ids: readonly string[];
  /** Tells those who show them that they are gone, or are not. */
  changed: () => void;
}

export interface State {
  connection: Connection;
  me: Me | null;
  models: ModelList | null;
  health: ServedHealth | null;
  channels: readonly ChannelView[];

  /** All that are known, by id: those of the list, and those that were opened. */
  conversations: Readonly<Record<string, ConversationMeta>>;
  /** The ids of the list, latest first, without archived and without erased ones. */
  listed: readonly string[];
  /** Whether the first list has come. */
  isListed: boolean;
  /** Where the list goes on; null when all are there. */
  listCursor: string | null;

  /** Which conversation this tab shows: an id, a local id of one that begins, or none. */
  shown: string | null;
  transcripts: Readonly<Record<string, Transcript>>;
  /** Why a conversation could not be loaded, by id. */
  missing: Readonly<Record<string, Refused>>;
  /** By conversation. */
  replying: Readonly<Record<string, Replying>>;
  /** Why the last reply of a conversation could not be made. */
  replyProblems: Readonly<Record<string, Refused>>;
  outbox: readonly Outgoing[];
  /** Conversations that have a new message which has not been looked at. */
  unread: Readonly<Record<string, true>>;
  erasing: readonly Erasing[];
  erasingMessages: readonly ErasingMessage[];
  forgetting: readonly Forgetting[];
  /** The ids of what went so: none of it shows again. */
  forgotten: readonly string[];
  notices: readonly Notice[];
}
