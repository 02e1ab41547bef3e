// Erasing: off the screen at once, gone for good after a moment in which it can be undone, and then
// a receipt.
import { address, remove } from "../api/client";
import type { Receipt } from "../api/shapes";
import { keepDraft } from "./drafts";
import { rearranged, withoutConversation } from "./lists";
import { path } from "./loading";
import type { Erasing } from "./model";
import { tell } from "./notices";
import * as outbox from "./outbox";
import { endRenaming } from "./renaming";
import { changeState, readState } from "./store";
import { notice } from "./trouble";

const UNDO_WITHIN = 6_000;
const RECEIPT_LASTS = 12_000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

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
  timers.set(
    id,
    setTimeout(() => void erase(one), UNDO_WITHIN),
  );
}

export function undoErase(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  restore(id);
}

function restore(id: string): void {
  changeState((state) => {
    const erasing = state.erasing.filter(({ conversationId }) => conversationId !== id);
    return { erasing, ...rearranged({ ...state, erasing }, id) };
  });
}

async function erase({ conversationId: id, title }: Erasing): Promise<void> {
  timers.delete(id);
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
  for (const [id, timer] of timers) {
    clearTimeout(timer);
    timers.delete(id);
    const options = { method: "DELETE", credentials: "same-origin", keepalive: true } as const;
    void fetch(address(path(id)), options).catch(() => {}); // then it is still there
  }
}

/** Erases one message now, and tells the receipt. */
export async function eraseMessage(id: string, messageId: string): Promise<void> {
  try {
    const receipt = await remove<Receipt>(`${path(id)}/messages/${encodeURIComponent(messageId)}`);
    tellReceipt(receipt, "");
  } catch (error) {
    notice(error);
  }
}
