// How high what stands above the messages is. When that changes, what is read below stays in place.
import { type RefCallback, type RefObject, useCallback, useRef, useState } from "react";

interface Head {
  headRef: RefCallback<HTMLElement>;
  height: number;
}

export function useHead(
  scroller: RefObject<HTMLElement | null>,
  isFollowingNow: () => boolean,
): Head {
  const [height, setHeight] = useState(0);
  const known = useRef(0);
  const headRef = useCallback(
    (head: HTMLElement | null) => {
      if (!head) return;
      const measure = () => {
        const now = head.offsetHeight;
        const element = scroller.current;
        const isBelow = element && known.current > 0 && element.scrollTop >= known.current;
        if (isBelow && !isFollowingNow()) element.scrollTop += now - known.current;
        known.current = now;
        setHeight(now);
      };
      measure();
      if (typeof ResizeObserver === "undefined") return;
      const observer = new ResizeObserver(measure);
      observer.observe(head);
      return () => observer.disconnect();
    },
    [scroller, isFollowingNow],
  );
  return { headRef, height };
}
