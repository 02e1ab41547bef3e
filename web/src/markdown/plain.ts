// Markdown as plain words on one line: for titles, snippets and quotations.
import type { Token } from "marked";
import { markdown } from "./parser";

/** Longer texts are cut before they are read: nobody shows more on a line. */
const LONGEST = 4000;
const NAMED = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

export function inlineText(text: string): string {
  try {
    const words = wordsOf(markdown.lexer(text.slice(0, LONGEST)));
    return words.replace(/\s+/g, " ").trim();
  } catch {
    return text.slice(0, LONGEST).replace(/\s+/g, " ").trim();
  }
}

/** Each line by itself, such as the points of a list. */
export const linesText = (text: string): string =>
  text.split("\n").map(inlineText).filter(Boolean).join(" · ");

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(wordOf).join("");
}

function wordOf(token: Token): string {
  switch (token.type) {
    case "br":
    case "hr":
    case "space":
    case "def":
    case "checkbox":
      return " ";
    case "html":
      return token.block ? ` ${token.text} ` : token.text;
    case "codespan":
      return token.text;
    case "code":
      return ` ${token.text} `;
    case "escape":
      return token.text;
    case "list":
      return token.items.map((item: Token) => ` ${wordOf(item)} `).join("");
    case "table":
      return [token.header, ...token.rows]
        .map((row: { tokens: Token[] }[]) =>
          row.map((cell) => ` ${wordsOf(cell.tokens)} `).join(""),
        )
        .join("");
    default: {
      const inner = "tokens" in token && token.tokens ? wordsOf(token.tokens) : decoded(token.raw);
      return isBlock(token.type) ? ` ${inner} ` : inner;
    }
  }
}

function isBlock(type: string): boolean {
  return ["paragraph", "heading", "blockquote", "list_item"].includes(type);
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g,
    (whole, ten, sixteen, name) => {
      const code = ten ? Number(ten) : sixteen ? Number.parseInt(sixteen, 16) : null;
      if (code !== null) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return NAMED.get(name) ?? whole;
    },
  );
}
