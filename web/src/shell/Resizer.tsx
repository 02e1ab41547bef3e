// The edge of the list: drag it, or use the arrow keys; a double click gives the usual width.
import type { KeyboardEvent, PointerEvent } from "react";
import { NARROWEST, resizeList, USUAL, useLayout, WIDEST } from "./layout";

const STEP = 16;

export function Resizer() {
  const width = useLayout((layout) => layout.width);
  const press = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: NARROWEST,
      End: WIDEST,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    resizeList(wanted);
  };
  const drag = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resizeList(event.clientX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that moves has this role, and no element.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={0}
      className="shell-resizer"
      title="Drag, or press the arrow keys. A double click gives the usual width."
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => resizeList(USUAL)}
    />
  );
}
