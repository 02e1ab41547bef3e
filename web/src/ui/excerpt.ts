// A quotation inside the message it was taken from: with some of what stands around it.

const AROUND = 90;
const WHOLE = 260;

export interface Excerpt {
  before: string;
  quote: string;
  after: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Where the words of the quotation stand, however they are spaced. */
function find(text: string, quote: string): [number, number] | null {
  const words = quote.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = new RegExp(words.map(escaped).join("\\s+")).exec(text);
  return found ? [found.index, found.index + found[0].length] : null;
}

/** The end of a text, from the beginning of a word. */
function tail(text: string): string {
  if (text.length <= AROUND) return text;
  const cut = text.slice(-AROUND);
  return `…${cut.slice(cut.search(/\s/) + 1)}`;
}

/** The beginning of a text, to the end of a word. */
export function head(text: string, most = AROUND): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/\s+\S*$/, "")}…`;
}

/** Without a quotation, or if it does not stand there, the beginning of the message. */
export function excerpt(content: string, quote: string | null): Excerpt {
  const found = quote ? find(content, quote) : null;
  if (!found) return { before: head(content.trim(), WHOLE), quote: "", after: "" };
  const [begin, end] = found;
  return {
    before: tail(content.slice(0, begin).trimStart()),
    quote: content.slice(begin, end),
    after: head(content.slice(end).trimEnd()),
  };
}
