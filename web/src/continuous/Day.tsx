// A day: its summary, what was said on it, and the box, which always writes to today.
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { get } from "../api/client";
import type { DayView } from "../api/shapes";
import { Announcer } from "../conversation/Announcer";
import { type Arrival, useFocusOnArrival } from "../conversation/arrival";
import { Composer } from "../conversation/Composer";
import { ReadOnly } from "../conversation/ReadOnly";
import type { Row } from "../conversation/rows";
import { Timeline } from "../conversation/Timeline";
import { TalkingContext } from "../conversation/talking";
import { useRows } from "../conversation/useRows";
import { useTalk } from "../conversation/useTalk";
import { CONTINUOUS } from "../state/ids";
import { useStore } from "../state/store";
import { TODAY } from "./address";
import { Found } from "./Found";
import { useFolding } from "./folding";
import { dayPath, type Loading } from "./loading";
import { Older } from "./Older";
import { SUMMARY, Summary } from "./Summary";
import { isOn, rowBefore, spanOf } from "./span";
import { goToSummary, Updated } from "./Updated";
import type { Wanted } from "./wanted";

interface Props {
  view: DayView;
  loading: Loading;
  arrival: Arrival;
  isFetched: boolean;
  place: string | null;
  wanted: Wanted;
  onContext: (turn: number | null) => void;
}

export function Day({ view, loading, arrival, isFetched, place, wanted, onContext }: Props) {
  const id = view.conversationId ?? CONTINUOUS;
  const [, go] = useLocation();
  const { talking, editLast, question } = useTalk(id, onContext);
  const isToday = view.day >= view.today;
  const isWanted = wanted.q.trim() !== "";
  useFocusOnArrival(arrival, isToday && !isWanted && arrival.anchor === null);
  return (
    <TalkingContext value={talking}>
      {isWanted ? (
        <Found place={place} day={view.day} wanted={wanted} />
      ) : (
        <Told view={view} id={id} loading={loading} arrival={arrival} isFetched={isFetched} />
      )}
      {talking.canWrite ? (
        <>
          {!isToday && (
            <p className="day-note soft">This day is over. What you write goes to today.</p>
          )}
          <Composer
            place={id}
            draft="continuous"
            placeholder={isToday ? "Write something" : "Write to today"}
            onEditLast={editLast}
            onSaid={() => {
              if (!isToday || isWanted) go(TODAY);
            }}
          />
        </>
      ) : (
        <ReadOnly channel={null} />
      )}
      <Announcer id={id} />
      {question}
    </TalkingContext>
  );
}

type ToldProps = Pick<Props, "view" | "loading" | "arrival" | "isFetched"> & { id: string };

function Told({ view, id, loading, arrival, isFetched }: ToldProps) {
  const begin = useBegin(view);
  const span = useMemo(() => spanOf(view, begin), [view, begin]);
  const isOver = span.last !== null;
  const { rows, last, lastOwn } = useRows(id);
  const all = useMemo(() => rows.filter((row) => isOn(span, row)), [rows, span]);
  const { covered, isOpen, turn } = useFolding(view, all, isOver, arrival);
  const shown = useMemo(() => (isOpen ? all : all.slice(covered)), [all, isOpen, covered]);
  const { hasEarlier, hasLater } = useMore(id, span.first, span.last);

  const told = view.updatedAt === null ? -1 : rowBefore(all, view.updatedAt);
  const toldBelow = all[told]?.key;
  const isToldInSight = shown.some(({ key }) => key === toldBelow);
  const below = useCallback(
    (row: Row) =>
      row.key === toldBelow && view.updatedAt ? <Updated at={view.updatedAt} /> : null,
    [toldBelow, view.updatedAt],
  );
  const { anchor, serial } = arrival;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts
  useEffect(() => {
    if (anchor === SUMMARY) goToSummary();
  }, [anchor, serial]);

  const unloaded = view.hasMore && hasEarlier ? view.messageCount - view.messages.length : 0;
  return (
    <Timeline
      id={id}
      arrival={arrival}
      isFetched={isFetched}
      rows={shown}
      last={last}
      lastOwn={lastOwn}
      below={below}
      isPast={isOver}
      fromTop={isOver || anchor === SUMMARY}
      hasEarlier={hasEarlier && (isOpen || covered === 0)}
      hasLater={hasLater}
      fold={String(isOpen)}
      head={
        <div className="talk-row day-head">
          <Summary key={view.day} view={view} again={loading.again} put={loading.put} />
          {covered > 0 && <Older many={covered + unloaded} isOpen={isOpen} onTurn={turn} />}
          {view.updatedAt && !isToldInSight && covered > 0 && (
            <Updated at={view.updatedAt} isAbove />
          )}
          {all.length === 0 && isFetched && <Nothing isOver={isOver} />}
          <Heard updatedAt={view.updatedAt} />
        </div>
      }
    />
  );
}

function Nothing({ isOver }: { isOver: boolean }) {
  return (
    <p className="day-nothing">
      {isOver ? "Nothing is left of what was said on this day." : "No messages yet today."}
    </p>
  );
}

/** Screen readers hear that the summary was made while they are here. */
function Heard({ updatedAt }: { updatedAt: string | null }) {
  const [first] = useState(updatedAt);
  return (
    <p className="only-heard" role="status">
      {updatedAt !== first && "Day summary updated"}
    </p>
  );
}

/** The first turn of a day that was not loaded as far: the one after those of the day before. */
function useBegin({ day, hasMore, previousDay }: DayView): number | null {
  const [begin, setBegin] = useState<{ day: string; turn: number } | null>(null);
  useEffect(() => {
    if (!hasMore) return;
    if (previousDay === null) return setBegin({ day, turn: 1 });
    const ended = new AbortController();
    get<DayView>(dayPath(previousDay), {}, ended.signal).then(
      ({ messages }) => setBegin({ day, turn: (messages.at(-1)?.turnNumber ?? 0) + 1 }),
      () => undefined, // what was loaded is shown, and no more
    );
    return () => ended.abort();
  }, [day, hasMore, previousDay]);
  return begin?.day === day ? begin.turn : null;
}

/** Whether the server has more of the day, before what is here and after it. */
function useMore(id: string, first: number | null, last: number | null) {
  const hasEarlier = useStore(({ transcripts }) => {
    const turn = transcripts[id]?.messages[0]?.turnNumber;
    return first !== null && turn !== undefined && turn > first;
  });
  const hasLater = useStore(({ transcripts }) => {
    const turn = transcripts[id]?.messages.at(-1)?.turnNumber;
    return last === null || (turn !== undefined && turn < last);
  });
  return { hasEarlier, hasLater };
}
