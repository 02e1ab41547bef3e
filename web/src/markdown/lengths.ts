// How much Markdown is read at once, so that no text, however it is made, holds the page up.
import type { Token, Tokens } from "marked";

/** Quotes and lists in each other beyond this, on one line, are no writing. */
const DEEPEST = 12;
/** Characters of one paragraph, quotation or table. A longer one is a paste, not prose. */
const LONGEST = 16_000;
/** Characters of a list that are shown as one: long answers are often one long list. */
const PART = 4_000;

const DEEP = new RegExp(
  `^[ \\t]*(?:(?:>|[-*+][ \\t]|\\d+[.)][ \\t])[ \\t]*){${DEEPEST},}[^\\n]*`,
  "gm",
);
const RULE = /^[ \t]*(?:[-*][ \t]*)+$/;

export function isTooDeep(text: string): boolean {
  for (const [line] of text.matchAll(DEEP)) {
    if (!RULE.test(line)) return true;
  }
  return false;
}

export function isTooLong(raw: string): boolean {
  return raw.length > LONGEST;
}

/** The sources that a token is shown from: a long list in several parts, all else whole. */
export function partsOf(token: Token): string[] {
  return token.type === "list" && token.raw.length > PART ? listParts(token) : [token.raw];
}

function listParts(list: Tokens.Generic): string[] {
  const parts: string[] = [];
  let part = "";
  list.items.forEach((item: Tokens.ListItem, index: number) => {
    // A part goes on counting where the one before it ended.
    const number = list.ordered ? Number(list.start) + index : null;
    part += part === "" && number !== null ? item.raw.replace(/\d+/, `${number}`) : item.raw;
    if (part.length >= PART) {
      parts.push(part);
      part = "";
    }
  });
  return part === "" ? parts : [...parts, part];
}
