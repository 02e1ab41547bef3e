// Before a conversation is erased. Then comes Undo for some seconds, then the receipt: both are
// told by `eraseConversation`.
import { useLocation } from "wouter";
import { eraseConversation } from "../state/actions";
import { useStore } from "../state/store";
import { EraseDialog } from "../ui/EraseDialog";
import { titleOf } from "../ui/titles";

export function EraseConversation({ id, onClose }: { id: string; onClose: () => void }) {
  const [path, go] = useLocation();
  const conversation = useStore((state) => state.conversations[id]);
  return (
    <EraseDialog
      title="Erase this conversation?"
      name={conversation ? titleOf(conversation) : "New conversation"}
      path={`/api/conversations/${encodeURIComponent(id)}`}
      warning="You can undo it for a few seconds. After that nobody can bring it back."
      onErase={() => {
        eraseConversation(id);
        if (path === `/c/${id}`) go("/");
      }}
      onClose={onClose}
    />
  );
}
