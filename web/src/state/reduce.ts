// What a message of the server does to the state. Pure: what is to be asked for because of it, and
// replies in the making, are looked after elsewhere.
import { Refused } from "../api/problem";
import type { Message } from "../api/shapes";
import { problemOf } from "../live/closing";
import type { ServerMessage } from "../live/messages";
import { isNewPlace, keyOf } from "./ids";
import { withConversation, withFirstPage, withNews, withoutConversation } from "./lists";
import type { Outgoing, State } from "./model";
import { holds, kept, tail, withMessage, without, withTail } from "./transcripts";

/** What to do with the end of a conversation when it is loaded: put it to what is there, in the
 * place of that, or nowhere, as somebody goes to another stretch. */
export type EndGoes = "beside" | "instead" | "nowhere";

interface Hearing {
  endGoes?: EndGoes;
  /** What is known may be stale. */
  isStale?: boolean;
}

export function reduce(
  state: State,
  message: ServerMessage,
  { endGoes = "beside", isStale = false }: Hearing = {},
): Partial<State> {
  switch (message.type) {
    case "conversation_loaded": {
      const { conversation, turns, hasMore } = message;
      if (!conversation) return {};
      const { id } = conversation;
      const before = endGoes === "instead" ? undefined : state.transcripts[id];
      const transcript = withTail(before, tail(turns, hasMore));
      return {
        ...withConversation(state, conversation),
        ...(endGoes === "nowhere" ? {} : { transcripts: kept(state, id, transcript) }),
        missing: without(state.missing, id),
        outbox: withoutStored(state.outbox, turns),
      };
    }
    case "conversation_list":
      return withFirstPage(state, message.conversations, message.nextCursor, isStale);
    case "conversation_created":
    case "conversation_changed":
      return withConversation(state, message.conversation);
    case "conversation_renamed": {
      const meta = state.conversations[message.conversationId];
      return meta
        ? withConversation(state, { ...meta, title: message.title, topics: message.topics })
        : {};
    }
    case "conversation_removed":
      return removed(state, message.conversationId);
    case "conversation_updated":
      return updated(state, message.turn);
    case "message_accepted":
      return accepted(state, message.message);
    case "reply_finished":
      return finished(state, message.turn);
    case "error":
      return message.conversationId ? troubled(state, message.conversationId, message) : {};
    case "reply_started":
      return state.replyProblems[message.conversationId]
        ? { replyProblems: without(state.replyProblems, message.conversationId) }
        : {};
    case "resync":
      // What was missed may be anywhere: only what is loaded anew can be believed.
      return { transcripts: onlyShown(state), replying: {} };
    default:
      return {};
  }
}

const onlyShown = ({ transcripts, shown }: State): State["transcripts"] => {
  const transcript = transcripts[shown ?? ""];
  return shown !== null && transcript ? { [shown]: transcript } : {};
};

/** Without what is known to be stored, whichever way that came to be known. */
const withoutStored = (outbox: State["outbox"], turns: readonly Message[]): State["outbox"] => {
  const keys = new Set(turns.map(keyOf));
  return outbox.some(({ key }) => keys.has(key))
    ? outbox.filter(({ key }) => !keys.has(key))
    : outbox;
};

/** What was said here and is this message now. */
const sentAs = (state: State, turn: Message): Outgoing | undefined =>
  state.outbox.find(({ key }) => key === keyOf(turn));

/** Messages in their transcript, if that was loaded; a conversation that begins with them, and is
 * shown, has nothing else yet. */
function put(state: State, turn: Message, sent?: Outgoing): Partial<State> {
  const { conversationId } = turn;
  const before = state.transcripts[conversationId];
  const begins = sent && isNewPlace(sent.place) && sent.place === state.shown;
  if (!before && !begins) return {};
  // An answer to a command is not kept, nor is the command: they are shown as they were told.
  const said = sent && turn.role === "assistant" ? [asSaid(sent, turn)] : [];
  const transcript = [...said, turn].reduce(withMessage, before ?? tail([], false));
  return { transcripts: kept(state, conversationId, transcript) };
}

/** A command as it was given, just before its answer. */
const asSaid = (sent: Outgoing, answer: Message): Message => ({
  ...answer,
  id: `said-${sent.key}`,
  seq: answer.seq - 0.5,
  role: "user",
  content: sent.text,
  timestamp: new Date(sent.at).toISOString(),
});

function updated(state: State, turn: Message): Partial<State> {
  const { conversationId } = turn;
  const meta = state.conversations[conversationId];
  const isNews =
    !holds(state.transcripts[conversationId], turn.id) &&
    (!meta || Date.parse(turn.timestamp) > Date.parse(meta.updated));
  const isUnread = isNews && turn.role !== "user" && conversationId !== state.shown;
  const isReply = state.replying[conversationId]?.messageId === turn.id;
  return {
    ...put(state, turn, sentAs(state, turn)),
    ...withNews(state, turn),
    outbox: withoutStored(state.outbox, [turn]),
    ...(isUnread ? { unread: { ...state.unread, [conversationId]: true } } : {}),
    ...(isReply ? { replying: without(state.replying, conversationId) } : {}),
  };
}

function accepted(state: State, turn: Message): Partial<State> {
  return {
    ...put(state, turn, sentAs(state, turn)),
    ...withNews(state, turn),
    outbox: withoutStored(state.outbox, [turn]),
    replyProblems: without(state.replyProblems, turn.conversationId),
  };
}

function finished(state: State, turn: Message): Partial<State> {
  const { conversationId } = turn;
  const isUnread = conversationId !== state.shown && turn.turnNumber > 0;
  return {
    ...(isUnread ? { unread: { ...state.unread, [conversationId]: true } } : {}),
    ...put(state, turn, sentAs(state, turn)),
    ...withNews(state, turn),
    outbox: withoutStored(state.outbox, [turn]),
    replying: without(state.replying, conversationId),
    replyProblems: without(state.replyProblems, conversationId),
  };
}

function troubled(
  state: State,
  conversationId: string,
  message: Extract<ServerMessage, { type: "error" }>,
): Partial<State> {
  return {
    replying: without(state.replying, conversationId),
    replyProblems: { ...state.replyProblems, [conversationId]: problemOf(message) },
  };
}

function removed(state: State, id: string): Partial<State> {
  const gone = new Refused("not_found", "This conversation is not here.", "It was erased.", 404);
  return {
    ...withoutConversation(state, id),
    ...(state.shown === id ? { missing: { ...state.missing, [id]: gone } } : {}),
  };
}
