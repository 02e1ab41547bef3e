// Whether the reader is at the end, and stays there as more comes.
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Nearer than this is at the end, in pixels. */
const NEAR = 48;

const isNear = (scroller: HTMLElement): boolean =>
  scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;

export interface Following {
  isFollowing: boolean;
  /** The same at this moment, for what runs later. */
  isFollowingNow: () => boolean;
  /** Goes to the end and stays there. */
  follow: () => void;
  /** Stays where one is. */
  leave: () => void;
  onScroll: () => void;
}

/** `isOver`: nothing comes at the end, and nobody is taken there. */
export function useFollowing(scroller: RefObject<HTMLElement | null>, isOver = false): Following {
  const [isFollowing, setFollowing] = useState(!isOver);
  const following = useRef(!isOver);
  const last = useRef({ top: 0, height: 0 });
  const turn = useCallback(
    (on: boolean) => {
      following.current = on && !isOver;
      setFollowing(on && !isOver);
    },
    [isOver],
  );
  const follow = useCallback(() => {
    turn(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller, turn]);
  const leave = useCallback(() => turn(false), [turn]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, scrollHeight: height } = element;
    // When rows above turn out shorter than was thought, the list moves by itself, and is less
    // high then: only a move up in a list that is as high as before was made by the reader.
    const isUp = top < last.current.top - 1 && height >= last.current.height;
    last.current = { top, height };
    if (isNear(element)) turn(true);
    else if (isUp) turn(false);
  }, [scroller, turn]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    for (const part of element.children) observer.observe(part);
    return () => observer.disconnect();
  }, [scroller]);
  const isFollowingNow = useCallback(() => following.current, []);
  return { isFollowing, isFollowingNow, follow, leave, onScroll };
}
