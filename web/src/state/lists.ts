// The list of conversations: latest first, without archived ones and those that are being erased.
import type { ConversationMeta, Message } from "../api/shapes";
import type { State } from "./model";
import { without } from "./transcripts";

type Listing = Pick<State, "conversations" | "listed" | "isListed" | "listCursor" | "erasing">;

function isLater(a: ConversationMeta, b: ConversationMeta): number {
  return Date.parse(b.updated) - Date.parse(a.updated) || b.updated.localeCompare(a.updated);
}

/** The ids in order. What is older than the last one belongs to a page that was not loaded. */
function arranged(state: Listing, conversations: State["conversations"], ids: Iterable<string>) {
  const erased = new Set(state.erasing.map(({ conversationId }) => conversationId));
  return [...new Set(ids)]
    .map((id) => conversations[id])
    .filter((one) => one !== undefined)
    .filter((one) => !one.archived && one.mode === "standard" && !erased.has(one.id))
    .sort(isLater)
    .map(({ id }) => id);
}

function belongs(state: Listing, meta: ConversationMeta): boolean {
  const last = state.conversations[state.listed.at(-1) ?? ""];
  return !state.listCursor || !last || isLater(meta, last) <= 0;
}

/** A conversation as it is now. */
export function withConversation(state: Listing, meta: ConversationMeta): Partial<State> {
  const conversations = { ...state.conversations, [meta.id]: meta };
  const ids = belongs(state, meta) ? [meta.id, ...state.listed] : state.listed;
  return { conversations, listed: arranged(state, conversations, ids) };
}

/** The first page, as it is now. What was loaded beyond it stays, unless it may be stale. */
export function withFirstPage(
  state: Listing,
  page: readonly ConversationMeta[],
  cursor: string | null,
  isStale: boolean,
): Partial<State> {
  // Before the first list, what is known was told live: the list goes on behind it.
  const isWhole = isStale || cursor === null || !state.isListed;
  const known = isWhole ? {} : state.conversations;
  const fresh = Object.fromEntries(page.map((one) => [one.id, one]));
  const conversations = { ...state.conversations, ...fresh };
  const last = page.at(-1);
  const older = last
    ? state.listed.filter((id) => {
        const meta = known[id];
        return meta && !fresh[id] && isLater(last, meta) <= 0;
      })
    : [];
  return {
    conversations,
    listed: arranged(state, conversations, [...page.map(({ id }) => id), ...older]),
    isListed: true,
    listCursor: older.length ? state.listCursor : cursor,
  };
}

export function withNextPage(
  state: Listing,
  page: readonly ConversationMeta[],
  cursor: string | null,
): Partial<State> {
  // What is already known is at least as new: it was told live.
  const fresh = Object.fromEntries(page.map((one) => [one.id, one]));
  const conversations = { ...fresh, ...state.conversations };
  const ids = [...state.listed, ...page.map(({ id }) => id)];
  return { conversations, listed: arranged(state, conversations, ids), listCursor: cursor };
}

/** Something was said: the conversation goes up, if that was not known yet. */
export function withNews(state: Listing, turn: Message): Partial<State> {
  const meta = state.conversations[turn.conversationId];
  if (!meta || Date.parse(turn.timestamp) <= Date.parse(meta.updated)) return {};
  return withConversation(state, {
    ...meta,
    updated: turn.timestamp,
    turnCount: Math.max(meta.turnCount, turn.turnNumber),
  });
}

export function withoutConversation(state: State, id: string): Partial<State> {
  return {
    conversations: without(state.conversations, id),
    listed: state.listed.filter((one) => one !== id),
    transcripts: without(state.transcripts, id),
    replying: without(state.replying, id),
    replyProblems: without(state.replyProblems, id),
    unread: without(state.unread, id),
    erasing: state.erasing.filter(({ conversationId }) => conversationId !== id),
  };
}

/** The list with a conversation hidden or shown again, after `erasing` has changed. */
export function rearranged(state: Listing, id: string): Partial<State> {
  return { listed: arranged(state, state.conversations, [...state.listed, id]) };
}
