// Something small over the page, beside what it belongs to: a card, a panel. It stands in the top
// layer, so that nothing cuts it off, and stays inside the window whatever it comes to hold.
import {
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
} from "react";
import { place } from "./place";
import "./floating.css";

interface Props extends HTMLAttributes<HTMLElement> {
  beside: RefObject<HTMLElement | null>;
  /** Called when something else is clicked. */
  onOutside: () => void;
  children: ReactNode;
}

/** A span, as it may stand inside a sentence. It is open as long as it is rendered. */
export function Floating({ beside, onOutside, children, className = "", ...more }: Props) {
  const layer = useRef<HTMLSpanElement>(null);
  const outside = useRef(onOutside);
  outside.current = onOutside;

  useLayoutEffect(() => {
    const shown = layer.current;
    const opener = beside.current;
    if (!shown || !opener) return;
    shown.showPopover?.();
    const settle = () => place(shown, opener);
    settle();
    const pressed = (event: Event) => {
      const target = event.target as Node;
      if (!shown.contains(target) && !opener.contains(target)) outside.current();
    };
    const grown = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(settle);
    grown?.observe(shown);
    document.addEventListener("pointerdown", pressed);
    window.addEventListener("resize", settle);
    window.addEventListener("scroll", settle, { capture: true, passive: true });
    return () => {
      grown?.disconnect();
      document.removeEventListener("pointerdown", pressed);
      window.removeEventListener("resize", settle);
      window.removeEventListener("scroll", settle, { capture: true });
    };
  }, [beside]);

  return (
    <span {...more} ref={layer} popover="manual" className={`ui-floating ${className}`}>
      {children}
    </span>
  );
}
