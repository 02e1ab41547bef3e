// A conversation, whole: heading, messages, the box to write in, and what the model saw beside it.
import { useCallback, useEffect, useState } from "react";
import { isNewPlace, show } from "../state/actions";
import { useStore } from "../state/store";
import { useArrival } from "./arrival";
import { Beside } from "./Beside";
import { Conversation } from "./Conversation";
import { Missing } from "./Missing";
import { useContinuous } from "./useContinuous";
import { sameAs, usePlace } from "./usePlace";
import { useSettled } from "./useSettled";
import "./conversation.css";

/** `place` is the id in the address; null at `/`, where the latest conversation or a new one is. */
export function ConversationPage({ place: named }: { place: string | null }) {
  const wanted = usePlace(named);
  const arrival = useArrival();
  const { serial } = arrival;
  const message = arrival.standing?.messageId ?? arrival.target ?? undefined;
  const [fetched, setFetched] = useState(-1);
  const fetch = useCallback(() => {
    if (wanted === null) return;
    show(wanted, message).then(() => setFetched(serial));
  }, [wanted, message, serial]);
  useEffect(fetch, [fetch]);

  const isReady = useStore(
    ({ transcripts, missing }) =>
      wanted !== null &&
      (isNewPlace(wanted) || transcripts[wanted] !== undefined || missing[wanted] !== undefined),
  );
  const id = useSettled(wanted, isReady);
  const missing = useStore((state) => (id === null ? undefined : state.missing[id]));
  const isLeaving = useContinuous(id, message ?? null);
  const [inspected, setInspected] = useState<{ id: string | null; turn: number | null } | null>(
    null,
  );
  const inspect = useCallback((turn: number | null) => setInspected({ id, turn }), [id]);
  if (id === null || isLeaving) return <div className="talk" />;
  return (
    <div className="talk">
      <div className="talk-main">
        {missing && !isNewPlace(id) ? (
          <Missing problem={missing} onRetry={fetch} />
        ) : (
          <Conversation
            key={sameAs(id)}
            id={id}
            arrival={arrival}
            isFetched={fetched === serial}
            onContext={inspect}
          />
        )}
      </div>
      {inspected && !missing && !isNewPlace(id) && (
        <Beside
          id={id}
          turn={inspected.id === id ? inspected.turn : null} // a turn of this conversation
          onTurn={inspect}
          onClose={() => setInspected(null)}
        />
      )}
    </div>
  );
}
