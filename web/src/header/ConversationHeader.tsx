// The heading of a conversation: title, topics, model, state, notes, export, context.
import { useRef, useState } from "react";
import type { ConversationMeta } from "../api/shapes";
import { openMemories } from "../memories/opening";
import { useCommand } from "../shell/commands";
import { EraseConversation } from "../shell/EraseConversation";
import { archive } from "../state/actions";
import { beginRenaming } from "../state/renaming";
import { useStore } from "../state/store";
import { useShortcut } from "../ui/keys";
import { counted } from "../ui/numbers";
import { Time } from "../ui/Time";
import { titleOf } from "../ui/titles";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { Actions } from "./Actions";
import { StateChips } from "./StateChips";
import { Title } from "./Title";
import { Topics } from "./Topics";
import { useRoom } from "./useRoom";
import "./header.css";

interface Props {
  id: string;
  onContext: (turn: number | null) => void;
}

export function ConversationHeader({ id, onContext }: Props) {
  const conversation = useStore((state) => state.conversations[id]);
  if (!conversation) return <NewHeader />;
  return <KnownHeader key={id} conversation={conversation} onContext={onContext} />;
}

function NewHeader() {
  useDocumentTitle("New conversation");
  return (
    <header className="header">
      <h1 className="header-title" tabIndex={-1}>
        New conversation
      </h1>
      <div className="header-chips" />
    </header>
  );
}

interface KnownProps {
  conversation: ConversationMeta;
  onContext: (turn: number | null) => void;
}

function KnownHeader({ conversation, onContext }: KnownProps) {
  const { id, archived } = conversation;
  const header = useRef<HTMLElement>(null);
  const room = useRoom(header);
  const [isErasing, setErasing] = useState(false);
  const rename = () => beginRenaming(id, "title");
  useDocumentTitle(titleOf(conversation));
  useShortcut("rename", rename);
  useShortcut("context", () => onContext(null));
  const does = {
    rename,
    context: () => onContext(null),
    archive: () => void archive(id, !archived),
    extract: () => openMemories({ kind: "extract", conversationId: id }),
    erase: () => setErasing(true),
  };
  useCommand({ label: "Rename", icon: "rename", run: does.rename, shortcut: "rename" });
  useCommand({
    label: "Context",
    icon: "context",
    run: does.context,
    shortcut: "context",
    words: "what the model sees, tokens, inspector",
  });
  useCommand({ label: archived ? "Unarchive" : "Archive", icon: "archive", run: does.archive });
  useCommand({
    label: "Extract memories from this conversation",
    icon: "memory",
    words: "learn remember",
    run: does.extract,
  });
  useCommand({ label: "Delete", icon: "trash", run: does.erase, words: "erase remove" });
  return (
    <header ref={header} className="header" data-room={room}>
      <div className="header-line">
        <Title id={id} title={titleOf(conversation)} />
        <Actions conversation={conversation} room={room} does={does} />
      </div>
      <div className="header-chips">
        {archived && <span className="header-chip">Archived</span>}
        <StateChips id={id} />
        <Topics topics={conversation.topics} />
        <span className="header-facts">
          {counted(conversation.turnCount, "turn")}, begun <Time at={conversation.created} />
        </span>
      </div>
      {isErasing && <EraseConversation id={id} onClose={() => setErasing(false)} />}
    </header>
  );
}
