// What is typed and not sent, per place. It outlives a reload.
import { forget, keep, kept, keptNames } from "./kept";

const PREFIX = "draft.";

export const draftOf = (place: string): string => kept<string>(PREFIX + place) ?? "";

export function keepDraft(place: string, text: string): void {
  if (text) keep(PREFIX + place, text);
  else forget(PREFIX + place);
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
