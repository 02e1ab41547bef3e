// The way to the end, and how much has come there since one left it.
import { useRef } from "react";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import type { Row } from "./rows";

interface Props {
  rows: readonly Row[];
  /** The rows do not reach the end: what is loaded of them then is not new. */
  hasLater: boolean;
  onJump: () => void;
}

/** It is there while one is away from the end. */
export function Jump({ rows, hasLater, onJump }: Props) {
  const left = useRef(rows.at(-1)?.key);
  const hadLater = useRef(hasLater);
  if (hadLater.current) left.current = rows.at(-1)?.key;
  hadLater.current = hasLater;
  const since = rows.length - 1 - rows.findLastIndex(({ key }) => key === left.current);
  return (
    <button type="button" className="button talk-jump" onClick={onJump}>
      <Icon name="arrow-down" size={16} />
      Jump to the latest
      {since > 0 && <span className="talk-jump-count">{counted(since, "new message")}</span>}
    </button>
  );
}
