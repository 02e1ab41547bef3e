// Screen readers hear what has come, once it is whole, and when they have a moment.
import { useEffect, useRef, useState } from "react";
import { inlineText } from "../markdown/plain";
import { useStore } from "../state/store";
import { isOwn, speaker } from "./words";

/** Nobody wants to hear a whole page unasked. */
const MOST = 600;
/** What was told is taken away again: who walks through the page would meet it twice. */
const TOLD_FOR = 1_000;

export function Announcer({ id }: { id: string }) {
  const messages = useStore((state) => state.transcripts[id]?.messages);
  const heard = useRef<{ id: string; last: string | undefined } | null>(null);
  const [told, setTold] = useState("");
  useEffect(() => {
    if (!messages) return;
    const last = messages.at(-1);
    const before = heard.current;
    heard.current = { id, last: last?.id };
    if (!last || before?.id !== id || before.last === last.id || isOwn(last)) return;
    // Something was added at the end; what was loaded above is not new.
    if (before.last && !messages.some((one) => one.id === before.last)) return;
    setTold(`${speaker(last)}: ${inlineText(last.content.slice(0, MOST))}`);
  }, [id, messages]);
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(""), TOLD_FOR);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div className="only-heard" aria-live="polite">
      {told}
    </div>
  );
}
