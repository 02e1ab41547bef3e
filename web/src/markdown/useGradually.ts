import { useEffect, useState } from "react";
import type { Block } from "./blocks";

/** Characters that are shown at once, and further ones in each frame. */
const AT_ONCE = 16_000;
const PER_FRAME = 8_000;

/** The blocks of a long text, a few more in every frame: nobody waits for its end to read its
 * beginning. What is written while one looks on is there at once. */
export function useGradually(blocks: Block[]): Block[] {
  const [allowed, setAllowed] = useState(AT_ONCE);
  const total = blocks.reduce((length, block) => length + block.text.length, 0);
  const isAll = total <= allowed;
  useEffect(() => {
    if (isAll) return;
    const frame = requestAnimationFrame(() => setAllowed(allowed + PER_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [allowed, isAll]);
  if (isAll) return blocks;
  let length = 0;
  const end = blocks.findIndex((block) => {
    length += block.text.length;
    return length > allowed;
  });
  return blocks.slice(0, Math.max(end, 1));
}
