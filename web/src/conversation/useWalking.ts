// Walking from message to message with the keys, and doing something with the one that is reached.
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { VirtualizerHandle } from "virtua";
import { STEPS } from "../ui/useRows";
import { deedsFor } from "./deeds";
import type { Row } from "./rows";
import { useTalking } from "./talking";

interface Given {
  rows: readonly Row[];
  list: RefObject<VirtualizerHandle | null>;
  /** One walks: the end is not followed. */
  leave: () => void;
  last: string | null;
  lastOwn: string | null;
}

interface Walking {
  /** The row that Tab leads to. */
  reached: string | null;
  reach: (key: string | null, focuses?: boolean) => void;
  /** The row with the focus stays, however far one scrolls. */
  keepMounted: readonly number[];
  onKeyDown: (event: KeyboardEvent) => void;
}

/** What has just been made is hidden until it is measured, and takes no focus before; it may be made
 * again meanwhile. A busy machine takes its time. */
const FRAMES = 60;

function focusSoon(id: string): void {
  const before = document.activeElement;
  const attempt = (left: number) => {
    if (document.activeElement !== before) return; // it is there, or somebody went elsewhere
    document.getElementById(id)?.focus({ preventScroll: true });
    if (left > 0) requestAnimationFrame(() => attempt(left - 1));
  };
  attempt(FRAMES);
}

export function useWalking({ rows, list, leave, last, lastOwn }: Given): Walking {
  const talking = useTalking();
  const [chosen, setChosen] = useState<string | null>(null);
  const wantsFocus = useRef(false);
  const index = useMemo(() => rows.findIndex(({ key }) => key === chosen), [rows, chosen]);
  const reachedIndex = index < 0 ? rows.length - 1 : index;
  const reach = useCallback((key: string | null, focuses = false) => {
    setChosen(key);
    wantsFocus.current = focuses;
  }, []);
  useLayoutEffect(() => {
    const row = rows[index];
    if (!wantsFocus.current || !row || !document.getElementById(row.message.id)) return;
    wantsFocus.current = false;
    focusSoon(row.message.id);
  }, [rows, index]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isArticle = target instanceof HTMLElement && target.matches("article");
    if (!isArticle || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = rows.findIndex(({ message }) => message.id === target.id);
    const row = rows[here];
    if (!row) return;
    const step = STEPS[event.key];
    if (step === undefined) {
      const standing = { isLast: row.key === last, isLastOwn: row.key === lastOwn };
      const deed = deedsFor(row, standing, talking).find(({ key }) => key === event.key);
      if (!deed) return;
      event.preventDefault();
      deed.run();
      return;
    }
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, here + step));
    if (next < rows.length - 1) leave();
    list.current?.scrollToIndex(next, { align: "nearest" });
    reach(rows[next]?.key ?? null, true);
  };
  return {
    reached: rows[reachedIndex]?.key ?? null,
    reach,
    keepMounted: index < 0 ? [] : [index],
    onKeyDown,
  };
}
