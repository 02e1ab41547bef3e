// What can be done with the messages of a conversation, and what that asks first.
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { Message } from "../api/shapes";
import { eraseMessage, regenerate, send } from "../state/actions";
import { readState, useStore } from "../state/store";
import { EraseDialog } from "../ui/EraseDialog";
import type { Talking } from "./talking";
import { firstWords, isOwn } from "./words";

interface Talk {
  talking: Talking;
  /** Takes the last own message up again. */
  editLast: () => void;
  /** The question before a message is erased. */
  question: ReactNode;
}

export function useTalk(id: string, onContext: (turn: number | null) => void): Talk {
  const meta = useStore((state) => state.conversations[id]);
  const mayChat = useStore((state) => state.me?.scopes.includes("chat") ?? true);
  const mayErase = useStore((state) => state.me?.scopes.includes("write") ?? true);
  const [editing, setEditing] = useState<string | null>(null);
  const [erasing, setErasing] = useState<Message | null>(null);
  const canWrite = mayChat && !meta?.readOnly;
  const isMixed = meta !== undefined && (meta.channel !== "web" || meta.participants.length > 1);

  const talking: Talking = useMemo(
    () => ({
      id,
      canWrite,
      canErase: mayErase,
      isMixed,
      editing,
      edit: setEditing,
      erase: setErasing,
      look: onContext,
      regenerate: (message) => regenerate(id, message.id),
      say: (text) => send(id, text),
    }),
    [id, canWrite, mayErase, isMixed, editing, onContext],
  );
  const editLast = useCallback(() => {
    const messages = readState().transcripts[id]?.messages ?? [];
    const last = messages.findLast((one) => isOwn(one) && one.turnNumber > 0);
    if (last && last.status !== "redacted") setEditing(last.id);
  }, [id]);
  const question = erasing && (
    <EraseDialog
      title="Erase this message?"
      name={`“${firstWords(erasing.content)}”`}
      path={`/api/conversations/${encodeURIComponent(id)}/messages/${erasing.id}`}
      warning="Nobody can bring it back."
      onErase={() => eraseMessage(id, erasing.id)}
      onClose={() => setErasing(null)}
    />
  );
  return { talking, editLast, question };
}
