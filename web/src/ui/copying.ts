// Copying: what is said when it is done, and when the browser does not allow it.
import { tell } from "../state/notices";

/** Copies a text, and tells that it has. */
export async function copy(text: string, told: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(told);
  } catch {
    tell("The browser does not let the page copy.", {
      kind: "problem",
      remedy: "Allow this page to use the clipboard, or select the text and copy it by keyboard.",
    });
  }
}
