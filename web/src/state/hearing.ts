// Hearing: what the server says becomes state, and what follows from it is done.
import { get } from "../api/client";
import { asRefused } from "../api/problem";
import type { Message } from "../api/shapes";
import { noSocket } from "../live/closing";
import type { Verdict } from "../live/connection";
import type { ServerMessage } from "../live/messages";
import { began } from "./beginnings";
import { summaryUpdated } from "./days";
import { deliverAll, lookBack } from "./delivery";
import { externalsChanged } from "./externals";
import { isNewPlace, keyOf } from "./ids";
import { line, look, lookedAt, shownId } from "./line";
import { describe, endGoes, loadByRest, loadListByRest } from "./loading";
import { memoriesChanged } from "./memories";
import type { Outgoing } from "./model";
import { settle } from "./outbox";
import { refreshMe } from "./person";
import { reduce } from "./reduce";
import { doubtReplies, hearReply } from "./replies";
import { changeState, readState } from "./store";
import { isPersonMet } from "./who";

/** Whether something was missed, and what is known is being loaded anew. */
let isStale = false;

export function hear(message: ServerMessage): void {
  const before = readState();
  const turn = turnOf(message);
  const sent = turn && before.outbox.find(({ key }) => key === keyOf(turn));
  if (message.type === "resync") isStale = true;
  hearReply(message);
  const loaded = message.type === "conversation_loaded" ? message.conversation?.id : undefined;
  const end = isStale && loaded !== undefined ? "instead" : endGoes(loaded);
  changeState((state) => reduce(state, message, { endGoes: end, isStale }));
  follow(message);
  settle(before.outbox);
  if (turn && sent) landed(message, sent, turn);
}

/** A message that is stored by now, in which a key may be found. */
function turnOf(message: ServerMessage): Message | null {
  switch (message.type) {
    case "message_accepted":
      return message.message;
    case "conversation_updated":
    case "reply_finished":
      return message.turn;
    default:
      return null;
  }
}

/** Something said here is stored, or was a command and is answered. */
function landed(message: ServerMessage, { place }: Outgoing, turn: Message): void {
  const next = message.type === "reply_finished" ? message.newConversationId : null;
  if (isNewPlace(place)) {
    began(place, next ?? turn.conversationId);
    lookBack();
  } else if (next) {
    began(place, next);
    lookBack();
  }
  deliverAll();
}

function follow(message: ServerMessage): void {
  switch (message.type) {
    case "conversation_loaded":
      if (message.conversation) doubtReplies(madeIn(message.conversation.id));
      return;
    case "conversation_list":
      isStale = false;
      doubtReplies(Object.keys(readState().replying));
      return;
    case "day_summary_updated":
      summaryUpdated(message.date);
      return;
    case "memory_changed":
      memoriesChanged();
      return;
    case "external_updated":
      externalsChanged();
      return;
    case "resync":
      memoriesChanged();
      externalsChanged();
      return;
    case "conversation_updated": {
      const meta = readState().conversations[message.conversationId];
      // Something said in an archived conversation brings it back.
      if (!meta || meta.archived) void describe(message.conversationId);
      return;
    }
    default:
  }
}

const madeIn = (id: string): string[] => (readState().replying[id] ? [id] : []);

/** The socket is open: it began with `shows`, and what waits is sent. */
export function opened(shows: string | null): void {
  lookedAt(shows ?? undefined);
  if (shownId() !== shows || shows === null) line()?.say(look());
  deliverAll();
  if (!isPersonMet()) void refreshMe();
}

/** Why no socket could be had: it does not say, so the same is asked for by REST. */
export async function explain(): Promise<Verdict> {
  try {
    await get("/api/me");
    const id = shownId();
    // What it would have told comes so, as long as there is none.
    if (id !== null) await loadByRest(id);
    if (id !== null && readState().missing[id]) return "again"; // without it there may be a socket
    await loadListByRest();
    return noSocket();
  } catch (error) {
    const problem = asRefused(error);
    return problem.status === 401 ? "signed-out" : problem;
  }
}
