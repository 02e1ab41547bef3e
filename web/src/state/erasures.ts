// Erasing: off the screen at once, gone for good after a moment in which it can be undone, and then
// a receipt.
import type { Receipt } from "../api/shapes";
import { keepDraft } from "./drafts";
import { rearranged, withoutConversation } from "./lists";
import { path } from "./loading";
import type { Erasing, ErasingMessage } from "./model";
import * as outbox from "./outbox";
import { endRenaming } from "./renaming";
import { changeState, readState } from "./store";
import { withErased } from "./transcripts";
import { notice } from "./trouble";
import { askLater, callOff, tellReceipt } from "./undoing";

const at = (id: string, messageId: string): string =>
  `${path(id)}/messages/${encodeURIComponent(messageId)}`;

const count = (number: number): string =>
  `${number.toLocaleString("en")} ${number === 1 ? "message" : "messages"}`;

const eraseLater = (place: string, finish: (answer: Promise<Receipt>) => Promise<void>): void =>
  askLater(place, { method: "DELETE", path: place }, finish);

export function eraseConversation(id: string): void {
  const { conversations, erasing, shown } = readState();
  if (erasing.some(({ conversationId }) => conversationId === id)) return;
  const title = conversations[id]?.title || "New conversation";
  const one: Erasing = { conversationId: id, title, wasShown: shown === id };
  changeState((state) => {
    const next = { ...state, erasing: [...state.erasing, one] };
    return { erasing: next.erasing, ...rearranged(next, id) };
  });
  eraseLater(path(id), (answer) => erased(one, answer));
}

export function undoErase(id: string): void {
  callOff(path(id));
  restore(id);
}

function restore(id: string): void {
  changeState((state) => {
    const erasing = state.erasing.filter(({ conversationId }) => conversationId !== id);
    return { erasing, ...rearranged({ ...state, erasing }, id) };
  });
}

async function erased(one: Erasing, answer: Promise<Receipt>): Promise<void> {
  const { conversationId: id, title } = one;
  try {
    const { messages, remains } = await answer;
    outbox.dropPlace(id);
    keepDraft(id, "");
    endRenaming(id);
    changeState((state) => withoutConversation(state, id));
    tellReceipt(`Erased ${count(messages)} of “${title}”.`, remains);
  } catch (error) {
    restore(id);
    notice(error);
  }
}

/** One message, in the same way. `words` is what a person knows it by. */
export function eraseMessage(conversationId: string, messageId: string, words: string): void {
  const { erasingMessages } = readState();
  if (erasingMessages.some((one) => one.messageId === messageId)) return;
  const one: ErasingMessage = { conversationId, messageId, words };
  changeState({ erasingMessages: [...erasingMessages, one] });
  eraseLater(at(conversationId, messageId), (answer) => erasedOne(one, answer));
}

export function undoEraseMessage({ conversationId, messageId }: ErasingMessage): void {
  callOff(at(conversationId, messageId));
  endErasing(messageId);
}

function endErasing(messageId: string): void {
  changeState(({ erasingMessages }) => ({
    erasingMessages: erasingMessages.filter((one) => one.messageId !== messageId),
  }));
}

async function erasedOne(one: ErasingMessage, answer: Promise<Receipt>): Promise<void> {
  const { conversationId: id, messageId } = one;
  try {
    const { messages, remains } = await answer;
    // That it is erased is told live, too; until then its words must not come back.
    changeState(({ transcripts }) => withErased(transcripts, id, messageId));
    tellReceipt(`Erased ${count(messages)}.`, remains);
  } catch (error) {
    notice(error);
  }
  endErasing(messageId);
}
