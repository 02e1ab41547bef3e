// When something is to be asked for again.
import { useEffect, useRef, useState } from "react";
import { useStore } from "./store";
import type { Told } from "./told";

/** Several that change together are asked for once. */
const TOGETHER = 80;

/** A number that grows whenever `on` tells of a change, or may have while nobody told. */
export function useChanges(on: Told<void>["on"]): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = on(() => {
      clearTimeout(timer);
      timer = setTimeout(() => setVersion((number) => number + 1), TOGETHER);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [on]);
  const isOpen = useStore((state) => state.connection.kind === "open");
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current) setVersion((number) => number + 1);
    wasOpen.current = isOpen;
  }, [isOpen]);
  return version;
}
