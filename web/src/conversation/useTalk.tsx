// What can be done with the messages of a conversation, and what that asks first.
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { ConversationMeta, Message } from "../api/shapes";
import { eraseMessage, regenerate, send } from "../state/actions";
import { readState, useStore } from "../state/store";
import { channelMetaOf } from "../ui/channelMeta";
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

/** Several people, or a channel and then this page. */
const isSaidByOrAtSeveral = (meta: ConversationMeta): boolean =>
  meta.participants.length > 1 ||
  channelMetaOf(meta).isMixed ||
  (meta.channel !== "web" && !meta.readOnly);

export function useTalk(id: string, onContext: (turn: number | null) => void): Talk {
  const meta = useStore((state) => state.conversations[id]);
  const mayChat = useStore((state) => state.me?.scopes.includes("chat") ?? true);
  const mayErase = useStore((state) => state.me?.scopes.includes("write") ?? true);
  const canRemember = useStore((state) => state.me?.scopes.includes("memory:write") ?? true);
  const [editing, setEditing] = useState<string | null>(null);
  const [erasing, setErasing] = useState<Message | null>(null);
  const canWrite = mayChat && !meta?.readOnly;
  const isMixed = meta !== undefined && isSaidByOrAtSeveral(meta);
  const hasChannels = isMixed && !meta.readOnly; // while it is, all of it is said at one place

  const talking: Talking = useMemo(
    () => ({
      id,
      canWrite,
      canErase: mayErase,
      canRemember,
      isMixed,
      hasChannels,
      editing,
      edit: setEditing,
      erase: setErasing,
      look: onContext,
      regenerate: (message) => regenerate(id, message.id),
      say: (text) => send(id, text),
    }),
    [id, canWrite, mayErase, canRemember, isMixed, hasChannels, editing, onContext],
  );
  const editLast = useCallback(() => {
    const { transcripts, erasingMessages } = readState();
    const messages = transcripts[id]?.messages ?? [];
    const last = messages.findLast((one) => isOwn(one) && one.turnNumber > 0);
    const isGoing = erasingMessages.some(({ messageId }) => messageId === last?.id);
    if (last && last.status !== "redacted" && !isGoing) setEditing(last.id);
  }, [id]);
  const question = erasing && (
    <EraseDialog
      title="Erase this message?"
      name={`“${firstWords(erasing.content)}”`}
      path={`/api/conversations/${encodeURIComponent(id)}/messages/${erasing.id}`}
      warning="You can undo it for a few seconds. After that nobody can bring it back."
      onErase={() => {
        eraseMessage(id, erasing.id, firstWords(erasing.content));
        // The button that asked for it is gone; the keyboard stays with the message.
        requestAnimationFrame(() => document.getElementById(erasing.id)?.focus());
      }}
      onClose={() => setErasing(null)}
    />
  );
  return { talking, editLast, question };
}
