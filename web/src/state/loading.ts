// Loading: the conversation that this tab shows, and more of it as somebody scrolls.
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { ConversationPage, ConversationView, MessagePage } from "../api/shapes";
import { isNewPlace } from "./ids";
import { isByRest, isLooking, line, look, lookedAt, shownId } from "./line";
import { withConversation, withFirstPage, withNextPage } from "./lists";
import type { State, Transcript } from "./model";
import { tell } from "./notices";
import { settle } from "./outbox";
import { type EndGoes, reduce } from "./reduce";
import { endReply } from "./replies";
import { changeState, readState, useStore } from "./store";
import { holds, kept, stretch, withEarlier, withLater, without } from "./transcripts";
import { notice } from "./trouble";

const PAGE = 50;
/** Where the end goes when it is loaded, if not beside what is there. */
const ends = new Map<string, EndGoes>();
const described = new Set<string>();
/** When more of a conversation could not be had: what is scrolled to asks for it again and again. */
const failed = new Map<string, number>();
const REST = 3_000;

export const path = (id: string): string => `/api/conversations/${encodeURIComponent(id)}`;

export function endGoes(id: string | undefined): EndGoes {
  const wanted = ends.get(id ?? "") ?? "beside";
  if (wanted === "instead") ends.delete(id ?? "");
  return wanted;
}

export async function show(id: string | null, messageId?: string): Promise<void> {
  changeState(({ unread, missing }) => ({
    shown: id,
    ...(id === null ? {} : { unread: without(unread, id), missing: without(missing, id) }),
  }));
  if (id === null || isNewPlace(id)) {
    if (!isLooking(null)) line()?.say(look());
    return;
  }
  const there = readState().transcripts[id];
  const isElsewhere = messageId !== undefined && !holds(there, messageId);
  if (isElsewhere) ends.set(id, "nowhere");
  else if (messageId === undefined && there?.hasLater) ends.set(id, "instead");
  const looking = there && isLooking(id) && !ends.has(id) ? null : lookAt(id);
  if (isElsewhere) await goTo(id, messageId);
  await looking;
  await until(
    ({ transcripts, missing, shown }) => !!transcripts[id] || !!missing[id] || shown !== id,
  );
}

/** Makes the server look where this tab looks, which loads what is there. */
async function lookAt(id: string): Promise<void> {
  if (id !== shownId()) return;
  if (!line()?.isOpen) {
    // Without a socket it is asked for; with nobody there, it is loaded when the connection is.
    if (isByRest()) await loadByRest(id).catch(() => {}); // asked for again at the next try
    return;
  }
  try {
    await line()?.ask(look());
  } catch (error) {
    lookedAt(undefined);
    missed(id, asRefused(error));
  }
}

/** Loads what a socket would have told, while there is none. Throws `Refused`, but not for what is
 * not there. */
export async function loadByRest(id: string): Promise<void> {
  try {
    const { conversation, messages: turns, hasMore } = await get<ConversationView>(path(id));
    if (line()?.isOpen) return; // that has told it, and later
    const { outbox } = readState();
    const loaded = { type: "conversation_loaded", conversation, turns, hasMore } as const;
    changeState((state) => reduce(state, loaded, { endGoes: endGoes(id) }));
    settle(outbox);
    const made = readState().replying[id]?.messageId;
    if (turns.some((one) => one.id === made && one.status !== "streaming")) endReply(id);
  } catch (error) {
    const problem = asRefused(error);
    if (problem.status !== 404 && problem.status !== 400) throw problem;
    changeState(({ missing }) => ({ missing: { ...missing, [id]: problem } }));
  }
}

export async function loadListByRest(): Promise<void> {
  const page = await get<ConversationPage>("/api/conversations", { limit: PAGE });
  if (line()?.isOpen) return;
  changeState((state) => withFirstPage(state, page.conversations, page.nextCursor, false));
}

function missed(id: string, problem: Refused): void {
  if (problem.code === "unreachable") return; // it is loaded when the connection is back
  if (readState().transcripts[id] && problem.code !== "not_found") notice(problem);
  else changeState(({ missing }) => ({ missing: { ...missing, [id]: problem } }));
}

async function goTo(id: string, messageId: string): Promise<void> {
  try {
    const query = { around: messageId, limit: PAGE };
    const { messages } = await get<MessagePage>(`${path(id)}/messages`, query);
    ends.delete(id);
    change(id, () => stretch(messages, messageId, PAGE));
  } catch (error) {
    ends.delete(id);
    const problem = asRefused(error);
    if (problem.status === 404 || problem.status === 400)
      tell("That message is not here any more.");
    else notice(problem);
    if (!readState().transcripts[id]) await lookAt(id);
  }
}

function change(id: string, next: (before: Transcript | undefined) => Transcript): void {
  changeState((state) => ({ transcripts: kept(state, id, next(state.transcripts[id])) }));
}

export const loadEarlier = (id: string): Promise<void> => extend(id, "earlier");
export const loadLater = (id: string): Promise<void> => extend(id, "later");

async function extend(id: string, where: "earlier" | "later"): Promise<void> {
  const before = readState().transcripts[id];
  const edge = where === "earlier" ? before?.messages[0] : before?.messages.at(-1);
  const isMore = where === "earlier" ? before?.hasEarlier : before?.hasLater;
  if (!before || !edge || !isMore || before.loading) return;
  if (Date.now() - (failed.get(id) ?? 0) < REST) return;
  change(id, () => ({ ...before, loading: where }));
  try {
    const query = { [where === "earlier" ? "before" : "after"]: edge.id, limit: PAGE };
    const { messages, hasMore } = await get<MessagePage>(`${path(id)}/messages`, query);
    failed.delete(id);
    const now = readState().transcripts[id];
    // It may have been replaced meanwhile: then this no longer joins it.
    if (!now || !holds(now, edge.id)) return;
    change(id, () => (where === "earlier" ? withEarlier : withLater)(now, messages, hasMore));
    // What came meanwhile was not added to a stretch: now it reaches the end, that is loaded.
    if (where === "later" && !hasMore) await lookAt(id);
  } catch (error) {
    failed.set(id, Date.now());
    notice(error);
  } finally {
    const now = readState().transcripts[id];
    if (now?.loading) change(id, () => ({ ...now, loading: null }));
  }
}

/** Leaves a stretch in the middle for the end of the conversation. */
export async function loadEnd(id: string): Promise<void> {
  if (!readState().transcripts[id]?.hasLater) return;
  ends.set(id, "instead");
  await lookAt(id);
}

let isLoadingMore = false;
/** Whether they came. */
export async function loadMoreConversations(): Promise<boolean> {
  const { listCursor: cursor } = readState();
  if (!cursor || isLoadingMore) return true;
  isLoadingMore = true;
  try {
    const page = await get<ConversationPage>("/api/conversations", { cursor, limit: PAGE });
    changeState((state) => withNextPage(state, page.conversations, page.nextCursor));
    return true;
  } catch (error) {
    notice(error);
    return false;
  } finally {
    isLoadingMore = false;
  }
}

/** Asks about a conversation of which something was told, and nothing is known. */
export async function describe(id: string): Promise<void> {
  if (described.has(id)) return;
  described.add(id);
  try {
    const { conversation } = await get<ConversationView>(path(id));
    changeState((state) => withConversation(state, conversation));
  } catch {
    // It is gone, or cannot be asked about now: the next list has it, if it is there.
  } finally {
    described.delete(id);
  }
}

function until(holdsTrue: (state: State) => boolean): Promise<void> {
  if (holdsTrue(readState())) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useStore.subscribe((state) => {
      if (!holdsTrue(state)) return;
      stop();
      resolve();
    });
  });
}
