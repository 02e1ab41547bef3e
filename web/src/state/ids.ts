// Ids that are made here: keys that make sending again harmless, and places that have no id yet.

const NEW = "new-";

/** Random, also where the page is not served securely and `crypto.randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where the continuous conversation begins, which has no id before its first message. */
export const CONTINUOUS = `${NEW}continuous`;

/** A local id for a conversation that begins with its first message. */
export const newPlace = (): string => `${NEW}${newKey()}`;

export const isNewPlace = (place: string): boolean => place.startsWith(NEW);

/** The key that a message was sent with: it is stored with where it came from before it. */
export const keyOf = ({ key }: { key: string | null }): string | null =>
  key?.replace(/^api:/, "") ?? null;
