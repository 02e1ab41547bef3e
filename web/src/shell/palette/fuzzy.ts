// How well some words fit a text: every word somewhere in it, best at the beginning of words, and
// at the least its letters in order, from the beginning of a word.

/** What fits no better has only its letters in order. */
export const WEAK = 1;

/** 0 when it does not fit; more is better. */
export function fits(query: string, text: string): number {
  const wanted = fold(query).split(/\s+/).filter(Boolean);
  const within = fold(text);
  if (wanted.length === 0) return 1;
  let sum = 0;
  for (const word of wanted) {
    const score = fitsWord(word, within);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / wanted.length;
}

function fitsWord(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 3;
  if (word.length < 3) return 0;
  return inOrder(word, text) ? WEAK : 0;
}

/** The letters one after another, close enough together to be meant ("nwcv" in "new conv…"). */
function inOrder(word: string, text: string): boolean {
  const beginnings = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index);
  return beginnings.some((first) => text.startsWith(word.charAt(0), first) && from(first));

  function from(first: number): boolean {
    let at = first - 1;
    for (const letter of word) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return false;
    }
    return at - first < word.length * 3;
  }
}

/** Without case and accents. */
const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
