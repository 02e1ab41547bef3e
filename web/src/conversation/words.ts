// Small things about what was said: who, how it is quoted, and how anything is shown as text.
import type { Message } from "../api/shapes";

/** What a message is labelled with. */
export { speakerOf as speaker } from "../ui/speaker";

export const isOwn = (message: Message): boolean =>
  message.role === "user" && message.author?.kind !== "participant";

/** Each line behind a `>`, and an empty line to go on after it. */
export const quoted = (text: string): string =>
  `${text
    .trim()
    .split("\n")
    .map((line) => (line ? `> ${line}` : ">"))
    .join("\n")}\n\n`;

/** Input and output of a tool, or a payload. */
export const pretty = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");

const KIB = 1024;
/** What one message may hold, in bytes of UTF-8. */
export const MOST = KIB * KIB;

export function isTooLong(text: string): boolean {
  if (text.length * 3 <= MOST) return false; // no character of UTF-16 takes more than three bytes
  return new TextEncoder().encode(text).length > MOST;
}

const FIRST_WORDS = 60;

/** How a text begins, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, FIRST_WORDS * 8)
    .trim()
    .replace(/\s+/gu, " ");
  const characters = Array.from(line);
  if (characters.length <= FIRST_WORDS) return line;
  const cut = characters.slice(0, FIRST_WORDS).join("");
  return `${cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut}…`;
}

/** The `keyCode` that browsers give a key of the input method, where they say nothing else. */
export const COMPOSING = 229;
