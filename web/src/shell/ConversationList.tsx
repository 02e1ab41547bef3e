// The conversations: in groups, in live order, more as one scrolls.
import { useMemo, useState } from "react";
import { useRoute } from "wouter";
import { loadMoreConversations } from "../state/actions";
import { useStore } from "../state/store";
import { Skeleton } from "../ui/Skeleton";
import { useMinute } from "../ui/Time";
import { ArchivedList } from "./ArchivedList";
import { ConversationRow } from "./ConversationRow";
import { EraseConversation } from "./EraseConversation";
import { grouped } from "./groups";
import { LoadMore } from "./LoadMore";

export function ConversationList({ isArchived, onGo }: { isArchived: boolean; onGo: () => void }) {
  const [erasing, setErasing] = useState<string | null>(null);
  const current = useCurrent();
  const rows = { current, onErase: setErasing, onGo };
  return (
    <nav aria-label="Conversations" className="shell-list">
      {isArchived ? <ArchivedList {...rows} /> : <LivingList {...rows} />}
      {erasing !== null && <EraseConversation id={erasing} onClose={() => setErasing(null)} />}
    </nav>
  );
}

/** The conversation that is looked at: of the address, or what `/` came to. */
function useCurrent(): string | null {
  const [isConversation, params] = useRoute("/c/:id");
  const [isHome] = useRoute("/");
  const shown = useStore((state) => state.shown);
  return isConversation ? params.id : isHome ? shown : null;
}

export interface RowsProps {
  current: string | null;
  onErase: (id: string) => void;
  onGo: () => void;
}

function LivingList({ current, onErase, onGo }: RowsProps) {
  const listed = useStore((state) => state.listed);
  const conversations = useStore((state) => state.conversations);
  const isListed = useStore((state) => state.isListed);
  const more = useStore((state) => state.listCursor);
  const now = useMinute();
  const groups = useMemo(() => {
    const known = listed.flatMap((id) => conversations[id] ?? []);
    return grouped(known, now);
  }, [listed, conversations, now]);
  if (!isListed && groups.length === 0) {
    return <Skeleton lines={8} label="Loading the conversations" />;
  }
  if (groups.length === 0) {
    return <p className="shell-empty">Your conversations will stand here.</p>;
  }
  return (
    <>
      {groups.map(({ name, conversations: members }) => (
        <section key={name} aria-label={name}>
          <h2 className="shell-group">{name}</h2>
          <ul>
            {members.map((one) => (
              <ConversationRow
                key={one.id}
                conversation={one}
                isCurrent={one.id === current}
                onErase={onErase}
                onGo={onGo}
              />
            ))}
          </ul>
        </section>
      ))}
      {more !== null && <LoadMore load={loadMoreConversations} />}
    </>
  );
}
