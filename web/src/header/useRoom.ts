// How much room the header has for its buttons: the window may be small, or the list and the
// inspector may take much of it.
import { type RefObject, useLayoutEffect, useState } from "react";

/** For all of them; for the most important ones; for none but the one that opens them. */
export type Room = "wide" | "middle" | "small";

const roomOf = (width: number): Room => (width < 440 ? "small" : width < 640 ? "middle" : "wide");

export function useRoom(header: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState<Room>("wide");
  useLayoutEffect(() => {
    const watched = header.current;
    if (!watched || typeof ResizeObserver === "undefined") return;
    const measure = () => setRoom(roomOf(watched.clientWidth));
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(watched);
    return () => resized.disconnect();
  }, [header]);
  return room;
}
