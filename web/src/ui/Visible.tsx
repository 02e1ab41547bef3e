// Text from anybody: characters that cannot be seen, or that turn the direction of others, are
// shown as small labels instead of taking effect.
import type { ReactNode } from "react";
import "./visible.css";

const NAMES: Readonly<Record<number, string>> = {
  173: "SHY",
  1564: "ALM",
  6158: "MVS",
  8203: "ZWSP",
  8204: "ZWNJ",
  8205: "ZWJ",
  8206: "LRM",
  8207: "RLM",
  8232: "LS",
  8233: "PS",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8288: "WJ",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "BOM",
};
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const SPACES = new Set(["\n", "\t"]);
// Scripts join letters with these, and emoji are built with them: then they are part of a word.
const JOINERS = new Set(["\u200c", "\u200d"]);
const JOINED = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?=\P{ASCII})[\p{L}\p{M}]/u;

function belongs(text: string, index: number): boolean {
  const before = [...text.slice(Math.max(0, index - 2), index)].pop() ?? "";
  const after = [...text.slice(index + 1, index + 3)].shift() ?? "";
  return JOINED.test(before) && JOINED.test(after);
}

function label(character: string): { code: string; name: string } {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return { code, name: NAMES[point] ?? code };
}

/** Text in which nothing is hidden. */
export function Visible({ text }: { text: string }) {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    const [character] = found;
    if (SPACES.has(character)) continue;
    if (JOINERS.has(character) && belongs(text, found.index)) continue;
    const { code, name } = label(character);
    pieces.push(
      text.slice(from, found.index),
      <span
        key={found.index}
        className="hidden-character"
        title={`An invisible character: ${code}`}
      >
        {name}
      </span>,
    );
    from = found.index + character.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
