// Erasing: off the screen at once, gone for good after a moment in which it can be undone, and then
// a receipt.
import { address, remove } from "../api/client";
import type { Receipt } from "../api/shapes";
import { keepDraft } from "./drafts";
import { rearranged, withoutConversation } from "./lists";
import { path } from "./loading";
import type { Erasing, ErasingMessage } from "./model";
import { tell } from "./notices";
import * as outbox from "./outbox";
import { endRenaming } from "./renaming";
import { changeState, readState } from "./store";
import { withErased } from "./transcripts";
import { notice } from "./trouble";

const UNDO_WITHIN = 6_000;
const RECEIPT_LASTS = 12_000;
/** By the address that is to be deleted. */
const timers = new Map<string, ReturnType<typeof setTimeout>>();

const at = (id: string, messageId: string): string =>
  `${path(id)}/messages/${encodeURIComponent(messageId)}`;

function later(address: string, run: () => void): void {
  const timer = setTimeout(() => {
    timers.delete(address);
    run();
  }, UNDO_WITHIN);
  timers.set(address, timer);
}

function callOff(address: string): void {
  clearTimeout(timers.get(address));
  timers.delete(address);
}

const count = (number: number): string =>
  `${number.toLocaleString("en")} ${number === 1 ? "message" : "messages"}`;

export function eraseConversation(id: string): void {
  const { conversations, erasing, shown } = readState();
  if (erasing.some(({ conversationId }) => conversationId === id)) return;
  const title = conversations[id]?.title || "New conversation";
  const until = Date.now() + UNDO_WITHIN;
  const one: Erasing = { conversationId: id, title, until, wasShown: shown === id };
  changeState((state) => {
    const next = { ...state, erasing: [...state.erasing, one] };
    return { erasing: next.erasing, ...rearranged(next, id) };
  });
  later(path(id), () => void erase(one));
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

async function erase({ conversationId: id, title }: Erasing): Promise<void> {
  try {
    const receipt = await remove<Receipt>(path(id));
    outbox.dropPlace(id);
    keepDraft(id, "");
    endRenaming(id);
    changeState((state) => withoutConversation(state, id));
    tellReceipt(receipt, ` of “${title}”`);
  } catch (error) {
    restore(id);
    notice(error);
  }
}

function tellReceipt({ messages, remains }: Receipt, what: string): void {
  tell(`Erased ${count(messages)}${what}.`, { remedy: remains.join(" "), lasts: RECEIPT_LASTS });
}

/** The page is left: what was to go in a moment goes now. */
export function eraseNow(): void {
  for (const place of [...timers.keys()]) {
    callOff(place);
    const options = { method: "DELETE", credentials: "same-origin", keepalive: true } as const;
    void fetch(address(place), options).catch(() => {}); // then it is still there
  }
}

/** One message, in the same way. `words` is what a person knows it by. */
export function eraseMessage(conversationId: string, messageId: string, words: string): void {
  const { erasingMessages } = readState();
  if (erasingMessages.some((one) => one.messageId === messageId)) return;
  const one: ErasingMessage = { conversationId, messageId, words };
  changeState({ erasingMessages: [...erasingMessages, one] });
  later(at(conversationId, messageId), () => void eraseOne(one));
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

async function eraseOne({ conversationId: id, messageId }: ErasingMessage): Promise<void> {
  try {
    const receipt = await remove<Receipt>(at(id, messageId));
    // That it is erased is told live, too; until then its words must not come back.
    changeState(({ transcripts }) => withErased(transcripts, id, messageId));
    tellReceipt(receipt, "");
  } catch (error) {
    notice(error);
  }
  endErasing(messageId);
}
