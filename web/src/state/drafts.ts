// What is typed and not sent, per place. It outlives a reload.
import { newKey } from "./ids";
import { forget, keep, kept, keptNames } from "./kept";

const PREFIX = "draft.";
const tried = (place: string): string => `${PREFIX}${place}.tried`;

export const draftOf = (place: string): string => kept<string>(PREFIX + place) ?? "";

export function keepDraft(place: string, text: string): void {
  if (text) keep(PREFIX + place, text);
  else {
    forget(PREFIX + place);
    forget(tried(place));
  }
}

/** The key that what is typed is sent with: it is the same message when it is sent once more, also
    after a reload, until other words are sent or nothing is left of it. */
export function keyOf(place: string, text: string): string {
  const before = kept<{ text: string; key: string }>(tried(place));
  if (before?.text === text) return before.key;
  const key = newKey();
  keep(tried(place), { text, key });
  return key;
}

/** The place has got another name: what was typed meanwhile goes on there. */
export function moveDraft(from: string, to: string): void {
  const text = draftOf(from);
  if (text) keepDraft(to, text);
  keepDraft(from, "");
}

export function forgetDrafts(): void {
  for (const name of keptNames(PREFIX)) forget(name);
}
