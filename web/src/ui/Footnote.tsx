// A small mark behind something derived. Hover or focus shows who said it, when and the sentence;
// a click goes to that turn. On touch the first tap shows the card, which has the way there.
import { useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { quoting } from "../conversation/arrival";
import { Floating } from "./Floating";
import { FootnoteCard } from "./FootnoteCard";
import "./footnote.css";

interface Props {
  number: number;
  conversationId: string;
  messageId: string;
  quote?: string | null;
  /** Where the message stands, if not on the page of its conversation. */
  href?: string | undefined;
}

/** A pointer that only passes by opens nothing; one on its way to the card does not close it. */
const OPENS = 120;
const CLOSES = 180;

export const messageAddress = (conversationId: string, messageId: string): string =>
  `/c/${encodeURIComponent(conversationId)}#${messageId}`;

export function Footnote({ number, conversationId, messageId, quote = null, ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  const mark = useRef<HTMLAnchorElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTouch = useRef(false);
  const card = useId();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isOpen) return;
    // Wherever the focus is; what stands around the mark stays open.
    const closing = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    };
    document.addEventListener("keydown", closing, { capture: true });
    return () => document.removeEventListener("keydown", closing, { capture: true });
  }, [isOpen]);

  const turn = (open: boolean, after = 0) => {
    clearTimeout(timer.current);
    if (after) timer.current = setTimeout(() => setOpen(open), after);
    else setOpen(open);
  };
  const href = props.href ?? messageAddress(conversationId, messageId);
  const state = quoting(quote);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches over the link and its card.
    <span
      className="footnote"
      onPointerEnter={(event) => event.pointerType === "mouse" && turn(true, OPENS)}
      onPointerLeave={(event) => event.pointerType === "mouse" && turn(false, CLOSES)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) turn(false);
      }}
    >
      <Link
        ref={mark}
        href={href}
        state={state}
        className="footnote-mark"
        aria-label={`Source ${number}`}
        {...(isOpen ? { "aria-describedby": card } : {})}
        onPointerDown={(event) => {
          isTouch.current = event.pointerType === "touch";
        }}
        onFocus={() => isTouch.current || turn(true)}
        onClick={(event) => {
          if (isTouch.current && !isOpen) {
            event.preventDefault();
            event.stopPropagation();
            turn(true);
          } else turn(false);
        }}
      >
        {number}
      </Link>
      {isOpen && (
        <Floating
          beside={mark}
          onOutside={() => turn(false)}
          id={card}
          role="note"
          className="footnote-card"
        >
          <FootnoteCard conversationId={conversationId} messageId={messageId} quote={quote} />
          <Link
            href={href}
            state={state}
            className="footnote-go"
            tabIndex={-1}
            onClick={() => turn(false)}
          >
            Go to message
          </Link>
        </Floating>
      )}
    </span>
  );
}
