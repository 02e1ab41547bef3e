// What was found of a text in Markdown, without the signs of Markdown; what is marked in it stays marked.
import { inlineText } from "./plain";

// Private characters that stand where a mark begins and ends, while the signs are taken away.
const BEGIN = "\ue000";
const END = "\ue001";

interface Snippet {
  text: string;
  /** They count characters as the server does. */
  ranges: [number, number][];
}

export function plainSnippet(text: string, ranges: readonly unknown[][]): Snippet {
  const characters = Array.from(text).map((one) => (one === BEGIN || one === END ? "\ufffd" : one));
  for (const [start, end] of ranges) {
    if (typeof start !== "number" || typeof end !== "number") continue;
    const last = Math.min(end, characters.length) - 1;
    if (start > last) continue;
    characters[start] = BEGIN + characters[start];
    characters[last] += END;
  }
  const plain: Snippet = { text: "", ranges: [] };
  let length = 0;
  let begun: number | null = null;
  for (const one of inlineText(characters.join(""))) {
    if (one === BEGIN) begun = length;
    else if (one === END) {
      if (begun !== null && begun < length) plain.ranges.push([begun, length]);
      begun = null;
    } else {
      plain.text += one;
      length += 1;
    }
  }
  return plain;
}
