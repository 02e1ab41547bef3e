// Some quoted words, found again: in a message as it was written, or as it stands on the page.
// What Markdown and the page put between words does not count.

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const BETWEEN = "[\\s*_`~#>|\\\\\\-+]*";

function pattern(quote: string): RegExp | null {
  const words = quote.split(/[\s*_`~#>|\\]+/).filter((word) => /[^\-+]/.test(word));
  return words.length === 0 ? null : new RegExp(words.map(escaped).join(BETWEEN), "u");
}

/** The words as they were written, or null if they do not stand there. */
export function spanIn(content: string, quote: string): string | null {
  return pattern(quote)?.exec(content)?.[0] ?? null;
}

/** Where the words stand in an element, or null. */
export function rangeIn(root: Node, quote: string): Range | null {
  const found = pattern(quote);
  if (!found) return null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const match = found.exec(texts.map(({ data }) => data).join(""));
  if (!match) return null;
  const range = document.createRange();
  const begin = placed(texts, match.index);
  const end = placed(texts, match.index + match[0].length - 1);
  if (!begin || !end) return null;
  range.setStart(begin.text, begin.offset);
  range.setEnd(end.text, end.offset + 1);
  return range;
}

/** Which text holds the character at this place of all of them. */
function placed(texts: readonly Text[], at: number): { text: Text; offset: number } | null {
  let left = at;
  for (const text of texts) {
    if (left < text.length) return { text, offset: left };
    left -= text.length;
  }
  return null;
}
