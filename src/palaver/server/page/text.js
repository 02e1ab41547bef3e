// Text from anybody: characters that cannot be seen, or that turn the direction of others, are
// shown as small labels instead of taking effect.

const NAMES = {
  0x00ad: "SHY", 0x061c: "ALM", 0x180e: "MVS", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ",
  0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI",
  0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
// Scripts join letters with these, and emoji are built with them: then they are part of a word.
const JOINERS = new Set([0x200c, 0x200d]);
const JOINED = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|(?=\P{ASCII})[\p{L}\p{M}]/u;

function belongs(text, index) {
  const before = [...text.slice(Math.max(0, index - 2), index)].pop() ?? "";
  const after = [...text.slice(index + 1, index + 3)].shift() ?? "";
  return JOINED.test(before) && JOINED.test(after);
}

function label(point) {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const node = document.createElement("span");
  node.className = "hidden-character";
  node.title = `An invisible character: ${code}`;
  node.textContent = NAMES[point] ?? code;
  return node;
}

// `text` as nodes to append.
export function visible(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    const point = found[0].codePointAt(0);
    if (JOINERS.has(point) && belongs(text, found.index)) continue;
    if (found.index > from) nodes.push(text.slice(from, found.index));
    nodes.push(label(point));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

// `text` with the ranges marked; ranges count characters, not UTF-16 units.
export function marked(text, ranges) {
  const characters = Array.from(text);
  const nodes = [];
  let from = 0;
  for (const [start, end] of ranges) {
    nodes.push(...visible(characters.slice(from, start).join("")));
    const mark = document.createElement("mark");
    mark.append(...visible(characters.slice(start, end).join("")));
    nodes.push(mark);
    from = end;
  }
  nodes.push(...visible(characters.slice(from).join("")));
  return nodes;
}

const FIRST_WORDS = 60;

// How a text begins, on one line.
export function firstWords(text) {
  const line = text.trim().replace(/\s+/gu, " ");
  const characters = Array.from(line);
  if (characters.length <= FIRST_WORDS) return line;
  const cut = characters.slice(0, FIRST_WORDS).join("");
  return `${cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut}…`;
}

export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
