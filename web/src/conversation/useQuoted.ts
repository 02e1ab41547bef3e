// Quoted words, marked for a moment in the message one came to because of them. Nothing in the
// document is changed for it.
import { useEffect } from "react";
import { rangeIn } from "../ui/quoted";
import { scrollerOf } from "../ui/scroller";

/** Named so in `transcript.css`. */
const NAME = "quoted";
/** What was just made may not have its words yet. */
const FRAMES = 30;

export function useQuoted(messageId: string, quote: string | null): void {
  useEffect(() => {
    if (!quote || typeof Highlight === "undefined") return;
    let frame = 0;
    const attempt = (left: number) => {
      const body = document.getElementById(messageId)?.querySelector<HTMLElement>(".talk-body");
      const range = body ? rangeIn(body, quote) : null;
      if (body && range) {
        CSS.highlights.set(NAME, new Highlight(range));
        frame = requestAnimationFrame(() => bring(body, range));
      } else if (left > 0) frame = requestAnimationFrame(() => attempt(left - 1));
    };
    attempt(FRAMES);
    return () => {
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [messageId, quote]);
}

/** Into sight, if the message is longer than the window. */
function bring(body: HTMLElement, range: Range): void {
  const scroller = scrollerOf(body);
  const seen = scroller.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= seen.top && bottom <= seen.bottom) return;
  scroller.scrollTop += (top + bottom) / 2 - (seen.top + seen.bottom) / 2;
}
