// Colours for code. Nothing of it is loaded before there is code in a language it knows.
import { load, nameOf } from "./languages";
import { sanitiseCode } from "./sanitise";

/** More than this many characters stay plain: colouring them would hold the page up. */
const LONGEST = 20_000;

/** The code as coloured nodes; null where there are no colours for it. */
export async function colour(language: string, code: string): Promise<DocumentFragment | null> {
  const name = nameOf(language);
  if (name === null || code.length > LONGEST) return null;
  try {
    const highlighter = await load(name);
    return sanitiseCode(highlighter.highlight(code, { language: name }).value);
  } catch {
    return null; // The page may be older than its server and ask for a file that is gone.
  }
}
