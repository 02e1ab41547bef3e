// What the address names. When somebody has gone there, the focus goes there too.
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { isWriting } from "../ui/keys";

let wasAt: string | null = null;

/** Stands inside the boundary that waits, so that its effect runs when the room is there. */
export function Room({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isArrival = wasAt !== null && wasAt !== path;
    wasAt = path;
    const active = document.activeElement;
    // A room may have its own idea (the message box), and who types in the search goes on typing.
    if (!isArrival || room.current?.contains(active) || isWriting(active)) return;
    const heading = room.current?.querySelector<HTMLElement>("h1") ?? room.current;
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [path]);
  return (
    <div ref={room} className="shell-room">
      {children}
    </div>
  );
}
