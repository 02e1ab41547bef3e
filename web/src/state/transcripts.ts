// Transcripts: stretches of messages, oldest first, and how each change leaves no gap in them.
import type { Message } from "../api/shapes";
import type { State, Transcript } from "./model";

const MOST_KEPT = 20;

const isShown = ({ status }: Message): boolean => status !== "superseded";

/** The end of a conversation as it was loaded. */
export const tail = (messages: readonly Message[], hasMore: boolean): Transcript => ({
  messages: messages.filter(isShown),
  hasEarlier: hasMore,
  hasLater: false,
  loading: null,
});

/** A stretch around a message, as the server gives it: half of `limit` on either side, or less
 * where the conversation begins or ends. */
export function stretch(messages: readonly Message[], around: string, limit: number): Transcript {
  const shown = messages.filter(isShown);
  const at = shown.findIndex(({ id }) => id === around);
  const half = Math.floor(limit / 2);
  return {
    messages: shown,
    hasEarlier: at === -1 || at >= half,
    hasLater: at === -1 || shown.length - at >= limit - half,
    loading: null,
  };
}

/** Where a message stands, looked for from the end; -1 where it is not. */
const placeOf = (messages: readonly Message[], id: string): number =>
  messages.findLastIndex((one) => one.id === id);

export const holds = (transcript: Transcript | undefined, id: string): boolean =>
  transcript !== undefined && placeOf(transcript.messages, id) !== -1;

/** What was loaded before, and the end as it is now: one stretch, if they meet. A stretch in the
 * middle that does not reach the end stays, as somebody reads it. */
export function withTail(before: Transcript | undefined, end: Transcript): Transcript {
  const first = end.messages[0];
  if (!before) return end;
  if (!first) return before.messages.length ? before : end;
  if (before.messages.some(({ seq }) => seq >= first.seq)) {
    const earlier = before.messages.filter(({ seq }) => seq < first.seq);
    const asides = before.messages.filter((one) => isAside(one) && one.seq >= first.seq);
    return {
      ...end,
      messages: inOrder([...earlier, ...end.messages], asides),
      hasEarlier: earlier.length ? before.hasEarlier : end.hasEarlier,
    };
  }
  return before.hasLater ? before : end;
}

/** A day of the continuous conversation as it was loaded: a stretch of it, which may be its end. What
 * was told there meanwhile stays. */
export function dayStretch(
  day: DayStretch,
  isEnd: boolean,
  before: Transcript | undefined,
): Transcript {
  const messages = day.messages.filter(isShown);
  const [first] = messages;
  const last = messages.at(-1);
  const isMet = isEnd && before && !before.hasLater && first && last;
  const later = isMet
    ? before.messages.filter((one) => one.seq > last.seq || (isAside(one) && one.seq > first.seq))
    : [];
  return {
    messages: inOrder(messages, later),
    hasEarlier: day.hasMore || day.previousDay !== null,
    hasLater: !isEnd,
    loading: null,
  };
}

/** What is needed of a day to put it there. */
export interface DayStretch {
  conversationId: string | null;
  messages: readonly Message[];
  hasMore: boolean;
  previousDay: string | null;
  nextDay: string | null;
}

/** Answers to commands stand in no turn, and are told only once. */
export const isAside = ({ turnNumber }: Message): boolean => turnNumber === 0;

function inOrder(messages: readonly Message[], more: readonly Message[]): Message[] {
  const known = new Set(messages.map(({ id }) => id));
  const added = more.filter(({ id }) => !known.has(id));
  return added.length ? [...messages, ...added].sort((a, b) => a.seq - b.seq) : [...messages];
}

export function withEarlier(
  before: Transcript,
  page: readonly Message[],
  hasMore: boolean,
): Transcript {
  const messages = inOrder(page.filter(isShown), before.messages);
  return { ...before, messages, hasEarlier: hasMore, loading: null };
}

export function withLater(
  before: Transcript,
  page: readonly Message[],
  hasMore: boolean,
): Transcript {
  const messages = inOrder(before.messages, page.filter(isShown));
  return { ...before, messages, hasLater: hasMore, loading: null };
}

/** A message came, or became another one. */
export function withMessage(before: Transcript, message: Message): Transcript {
  const { messages } = before;
  const at = placeOf(messages, message.id);
  if (!isShown(message)) {
    return at === -1 ? before : { ...before, messages: messages.toSpliced(at, 1) };
  }
  if (at !== -1) return { ...before, messages: messages.with(at, message) };
  // It takes the place of another at once: which one that was is told only afterwards.
  const rest = message.supersedes
    ? messages.filter(({ id }) => id !== message.supersedes)
    : messages;
  const first = rest[0];
  const last = rest.at(-1);
  if (first && message.seq < first.seq && before.hasEarlier) return before;
  if (before.hasLater && (!last || message.seq > last.seq)) return { ...before, messages: rest };
  const next = rest.findLastIndex(({ seq }) => seq <= message.seq) + 1;
  return { ...before, messages: rest.toSpliced(next, 0, message) };
}

/** The transcripts with one put in; those that were changed longest ago go. */
export function kept(
  { transcripts, shown }: Pick<State, "transcripts" | "shown">,
  id: string,
  transcript: Transcript,
): State["transcripts"] {
  const others = Object.entries(transcripts).filter(([other]) => other !== id);
  const gone = others
    .filter(([other]) => other !== shown)
    .slice(0, Math.max(0, others.length + 1 - MOST_KEPT))
    .map(([other]) => other);
  const left = others.filter(([other]) => !gone.includes(other));
  return Object.fromEntries([...left, [id, transcript]]);
}

export function without<T>(all: Readonly<Record<string, T>>, id: string): Record<string, T> {
  const { [id]: _gone, ...rest } = all;
  return rest;
}

/** What is left of a message that is erased. */
export const bared = (message: Message): Message => ({
  ...message,
  content: "",
  parts: null,
  thinkingText: null,
  toolCalls: null,
  suggestedValues: null,
  suggestedActions: null,
  customPayload: null,
  sources: [],
  status: "redacted",
});

export function withErased(
  transcripts: State["transcripts"],
  id: string,
  messageId: string,
): Partial<State> {
  const before = transcripts[id];
  if (!before || !holds(before, messageId)) return {};
  const messages = before.messages.map((one) => (one.id === messageId ? bared(one) : one));
  return { transcripts: { ...transcripts, [id]: { ...before, messages } } };
}
