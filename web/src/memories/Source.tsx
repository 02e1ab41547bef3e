// Where a memory comes from, as a small mark behind it.
import { Footnote } from "../ui/Footnote";
import type { Memory } from "./shapes";

export function Source({ memory, number }: { memory: Memory; number: number }) {
  const { sourceConversationId, sourceMessageId, quote } = memory;
  if (!sourceConversationId || !sourceMessageId) return null;
  return (
    <Footnote
      number={number}
      conversationId={sourceConversationId}
      messageId={sourceMessageId}
      quote={quote}
    />
  );
}

export const hasSource = (memory: Memory): boolean =>
  Boolean(memory.sourceConversationId && memory.sourceMessageId);
