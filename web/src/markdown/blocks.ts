// A text as a list of blocks. While it grows, only its end is read again, so that what is
// finished keeps its nodes, its selection and its scroll positions.
import { Lexer, type Token } from "marked";
import { isTooDeep, isTooLong, partsOf } from "./lengths";
import { language, markdown } from "./parser";
import { mendCode, mendProse } from "./unfinished";

export type Block =
  | { kind: "prose"; text: string }
  | { kind: "code"; language: string; text: string }
  /** Too deep or too long to be read as Markdown: shown as it was written. */
  | { kind: "plain"; text: string };

export class Splitter {
  private text = "";
  private tokens: Token[] = [];

  /** The blocks of a text. One that goes on from the last one costs only what is new. */
  split(text: string, streaming: boolean): Block[] {
    const whole = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    if (isTooDeep(whole)) return [{ kind: "plain", text: whole }];
    this.read(whole);
    const definitions = this.tokens.filter((token) => token.type === "def");
    const known = definitions.map((token) => token.raw.trimEnd()).join("\n");
    const shown = this.tokens.filter((token) => token.type !== "def" && token.type !== "space");
    return shown.flatMap((token, index) =>
      blocksOf(token, known, streaming && index === shown.length - 1),
    );
  }

  private read(text: string): void {
    const kept = text.startsWith(this.text) ? this.tokens.slice(0, settled(this.tokens)) : [];
    const from = kept.reduce((length, token) => length + token.raw.length, 0);
    const rest = new Lexer(markdown.defaults).blockTokens(text.slice(from), []);
    this.tokens = [...kept, ...rest];
    this.text = text;
  }
}

/** How many tokens at the beginning cannot change any more: what follows may join with the last
 * one that is shown, and that one with the one before it. */
function settled(tokens: readonly Token[]): number {
  let open = 2;
  for (let index = tokens.length - 1; index >= 0; index--) {
    if (tokens[index]?.type !== "space") open--;
    if (open === 0) return index;
  }
  return 0;
}

function blocksOf(token: Token, known: string, isLast: boolean): Block[] {
  if (token.type === "code") {
    const text: string = isLast ? mendCode(token.raw, token.text) : token.text;
    return [{ kind: "code", language: language(token.lang), text }];
  }
  const parts = partsOf(token);
  return parts.map((part, index) => prose(part, known, isLast && index === parts.length - 1));
}

function prose(raw: string, known: string, isLast: boolean): Block {
  if (isTooLong(raw)) return { kind: "plain", text: raw };
  const source = isLast ? mendProse(raw) : raw;
  // Definitions of links may stand anywhere in the text; only what may use them is told.
  const isLinking = known !== "" && source.includes("[") && !isTooLong(known);
  return { kind: "prose", text: isLinking ? `${known}\n\n${source}` : source };
}
