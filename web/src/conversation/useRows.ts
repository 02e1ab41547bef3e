// The rows of a conversation, from the store.
import { useMemo } from "react";
import { useStore } from "../state/store";
import { bared } from "../state/transcripts";
import { type Row, said, tail } from "./rows";
import { isOwn } from "./words";

export interface Rows {
  rows: readonly Row[];
  /** The key of the last row that is stored, and of the last that the user said. */
  last: string | null;
  lastOwn: string | null;
}

export function useRows(id: string): Rows {
  const transcript = useStore((state) => state.transcripts[id]);
  const replying = useStore((state) => state.replying[id]);
  const outbox = useStore((state) => state.outbox);
  const erasing = useStore((state) => state.erasingMessages);
  const messages = transcript?.messages;
  const hasLater = transcript?.hasLater ?? false;
  // While a reply is made again, what comes stands in the place of what there was.
  const replyingId = replying?.messageId;
  const remade = replying?.turnNumber;
  const stored = useMemo(() => {
    const going = new Set(erasing.map(({ messageId }) => messageId));
    const all = (messages ?? []).map((one) => said(going.has(one.id) ? bared(one) : one));
    const end = all.at(-1)?.message;
    const isRemade = end?.role === "assistant" && end.turnNumber > 0 && end.turnNumber === remade;
    return isRemade && end.id !== replyingId ? all.slice(0, -1) : all;
  }, [messages, erasing, remade, replyingId]);
  const [last, lastOwn] = useMemo(() => {
    if (hasLater) return [null, null];
    const own = stored.findLast(({ message }) => isOwn(message) && message.turnNumber > 0);
    return [stored.at(-1)?.key ?? null, own?.key ?? null];
  }, [stored, hasLater]);
  const rows = useMemo(
    () => (hasLater ? stored : [...stored, ...tail(id, messages ?? [], outbox, replying)]),
    [id, messages, stored, outbox, replying, hasLater],
  );
  return { rows, last: replying ? null : last, lastOwn };
}
