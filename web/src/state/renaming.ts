// Names that are being typed, in the list or as the title. They stand outside what shows them, which
// moves as messages come; and they are kept, over a reload too, until the server has them.
import { create } from "zustand";
import { rename } from "./actions";
import { forget, keep, kept, keptNames } from "./kept";
import { readState } from "./store";

/** As the server has it. */
export const LONGEST_TITLE = 255;

/** Where the field stands. */
export type Where = "list" | "title";

export interface Typing {
  text: string;
  where: Where;
  /** It was begun here and now, not found half typed: then the field takes the focus, once. */
  isAsked: boolean;
}

type Names = Readonly<Record<string, Typing>>;

const PREFIX = "renaming.";

function found(): Names {
  const names: Record<string, Typing> = {};
  for (const name of keptNames(PREFIX)) {
    const one = kept<Partial<Typing>>(name);
    if (typeof one?.text !== "string") continue; // somebody else wrote there
    const where = one.where === "list" ? "list" : "title";
    names[name.slice(PREFIX.length)] = { text: one.text, where, isAsked: false };
  }
  return names;
}

const useNames = create<{ names: Names }>()(() => ({ names: found() }));

const typing = (id: string): Typing | undefined => useNames.getState().names[id];

function put(id: string, one: Typing): void {
  useNames.setState(({ names }) => ({ names: { ...names, [id]: one } }));
}

function hide(id: string): void {
  useNames.setState(({ names }) => {
    const { [id]: _gone, ...rest } = names;
    return { names: rest };
  });
}

/** The name that is typed at that place; null while nobody renames there. */
export const useTyping = (id: string, where: Where): Typing | null =>
  useNames(({ names }) => (names[id]?.where === where ? names[id] : null));

/** What is half typed elsewhere is gone on with. */
export function beginRenaming(id: string, where: Where): void {
  const text = typing(id)?.text ?? readState().conversations[id]?.title ?? "";
  put(id, { text, where, isAsked: true });
}

export function typeName(id: string, text: string): void {
  const before = typing(id);
  if (!before) return;
  put(id, { ...before, text });
  keep(PREFIX + id, { text, where: before.where });
}

/** The field has the focus. */
export function foundFocus(id: string): void {
  const before = typing(id);
  if (before?.isAsked) put(id, { ...before, isAsked: false });
}

/** Forgets what was typed. */
export function endRenaming(id: string): void {
  hide(id);
  forget(PREFIX + id);
}

export async function saveName(id: string): Promise<void> {
  const before = typing(id);
  if (!before) return;
  const wanted = before.text.trim();
  if (!wanted || wanted === readState().conversations[id]?.title) return endRenaming(id);
  hide(id);
  // It stays kept until the server has it.
  const isTaken = await rename(id, wanted);
  if (typing(id)) return; // it is typed anew already
  if (isTaken) forget(PREFIX + id);
  else put(id, { ...before, text: wanted, isAsked: false });
}

export function forgetNames(): void {
  for (const name of keptNames(PREFIX)) endRenaming(name.slice(PREFIX.length));
}
