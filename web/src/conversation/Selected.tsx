// Words that are selected inside a message: a button beside them, to remember them.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "../ui/Icon";
import { place } from "../ui/place";
import { remember } from "./deeds";
import type { Row } from "./rows";
import { useTalking } from "./talking";

/** One that is being made changes with every pixel. */
const SETTLED = 200;

/** The message that all of the selection stands in. */
function selectedMessage(scroller: HTMLElement | null): string | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !/\S/.test(selection.toString())) return null;
  const articleOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element?.closest(".talk-body")?.closest("article") ?? null;
  };
  const article = articleOf(selection.anchorNode);
  if (!article || article !== articleOf(selection.focusNode)) return null;
  return scroller?.contains(article) ? article.id : null;
}

interface Props {
  scroller: RefObject<HTMLElement | null>;
  rows: readonly Row[];
}

export function Selected({ scroller, rows }: Props) {
  const { canRemember } = useTalking();
  const [selected, setSelected] = useState<string | null>(null);
  const layer = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!canRemember) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = () => {
      clearTimeout(timer);
      if (getSelection()?.isCollapsed ?? true) setSelected(null);
      else timer = setTimeout(() => setSelected(selectedMessage(scroller.current)), SETTLED);
    };
    document.addEventListener("selectionchange", change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("selectionchange", change);
    };
  }, [canRemember, scroller]);
  const row = rows.find(({ message }) => message.id === selected);
  const isThere = row !== undefined && row.message.turnNumber > 0 && !row.outgoing;
  useLayoutEffect(() => {
    const shown = layer.current;
    const selection = getSelection();
    if (!isThere || !shown || !selection?.rangeCount) return;
    const range = selection.getRangeAt(0);
    shown.showPopover?.();
    place(shown, range);
    const moved = () => place(shown, range);
    addEventListener("scroll", moved, { capture: true, passive: true });
    return () => removeEventListener("scroll", moved, { capture: true });
  }, [isThere]);
  if (!isThere) return null;
  return (
    <span ref={layer} popover="manual" className="talk-selected">
      <button
        type="button"
        className="button"
        // The selection stays.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          remember(row.message);
          setSelected(null);
        }}
      >
        <Icon name="memory" size={16} />
        Remember this
      </button>
    </span>
  );
}
