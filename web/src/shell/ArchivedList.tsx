// The archived conversations. They are asked for when they are looked at; what is archived then, here
// or elsewhere, is told.
import { useCallback, useEffect, useMemo, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { ConversationMeta, ConversationPage } from "../api/shapes";
import { changeState, useStore } from "../state/store";
import { Skeleton } from "../ui/Skeleton";
import type { RowsProps } from "./ConversationList";
import { ConversationRow } from "./ConversationRow";
import { LoadMore } from "./LoadMore";

export function ArchivedList({ current, onErase, onGo }: RowsProps) {
  const { archived, cursor, problem, isLoaded, more } = useArchived();
  if (problem && archived.length === 0) {
    return (
      <p className="shell-empty" role="alert">
        {problem.message} {problem.remedy}
      </p>
    );
  }
  if (!isLoaded) return <Skeleton lines={6} label="Loading the archived conversations" />;
  if (archived.length === 0) {
    return <p className="shell-empty">Nothing is archived. What you archive is kept here.</p>;
  }
  return (
    <section aria-label="Archived">
      <h2 className="shell-group">Archived</h2>
      <ul>
        {archived.map((one) => (
          <ConversationRow
            key={one.id}
            conversation={one}
            isCurrent={one.id === current}
            onErase={onErase}
            onGo={onGo}
          />
        ))}
      </ul>
      {problem && (
        <p className="shell-empty" role="alert">
          {problem.message} {problem.remedy}
        </p>
      )}
      {cursor !== null && <LoadMore load={more} />}
    </section>
  );
}

function useArchived() {
  const [cursor, setCursor] = useState<string | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState<Refused | null>(null);
  const known = useStore((state) => state.conversations);
  const erasing = useStore((state) => state.erasing);

  const fetchFrom = useCallback(async (from: string | null) => {
    try {
      const page = await get<ConversationPage>("/api/conversations", {
        archived: true,
        cursor: from,
      });
      learn(page.conversations);
      setCursor(page.nextCursor);
      setProblem(null);
      return true;
    } catch (error) {
      setProblem(asRefused(error));
      return false;
    } finally {
      setLoaded(true);
    }
  }, []);

  useEffect(() => {
    void fetchFrom(null);
  }, [fetchFrom]);

  const archived = useMemo(() => {
    const going = new Set(erasing.map((one) => one.conversationId));
    return Object.values(known)
      .filter((one) => one.archived && one.mode === "standard" && !going.has(one.id))
      .sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated));
  }, [known, erasing]);
  return { archived, cursor, problem, isLoaded, more: () => fetchFrom(cursor) };
}

/** What was asked for is known to the whole page: actions need its title. */
function learn(found: readonly ConversationMeta[]) {
  changeState(({ conversations }) => ({
    conversations: { ...conversations, ...Object.fromEntries(found.map((one) => [one.id, one])) },
  }));
}
