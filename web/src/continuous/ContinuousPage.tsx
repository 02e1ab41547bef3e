// The continuous conversation: one for life, a page for every day.
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { DayView } from "../api/shapes";
import { type Arrival, TOP, useArrival } from "../conversation/arrival";
import { Beside } from "../conversation/Beside";
import { NotLoaded, Waiting } from "../conversation/Waiting";
import { show } from "../state/actions";
import { tell } from "../state/notices";
import { useStore } from "../state/store";
import { notice } from "../state/trouble";
import { useMinute, useZone } from "../ui/Time";
import { dayOf, fullDay } from "../ui/times";
import { dayAddress, isDay, TODAY } from "./address";
import { Day } from "./Day";
import { DayHeader, type Known } from "./DayHeader";
import { daysBeside } from "./days";
import { type Loading, useDay } from "./loading";
import { dayOfMessage } from "./locate";
import { countOf } from "./span";
import { wantedOf } from "./wanted";
import "../conversation/conversation.css";
import "./continuous.css";

/** `day` is the one in the address; null at today's. */
export default function ContinuousPage({ day }: { day: string | null }) {
  const search = useSearch();
  const wanted = useMemo(() => wantedOf(search), [search]);
  const arrival = useArrival();
  const loading = useDay(day);
  const { view, problem, isLoading } = loading;
  const isFetched = useTarget(isLoading ? null : view, arrival);
  const [inspected, inspect] = useState<{ turn: number | null } | null>(null);
  const onContext = useCallback((turn: number | null) => inspect({ turn }), []);
  const known = useKnown(day, loading);
  const id = view?.conversationId;
  return (
    <div className="talk">
      <div className="talk-main">
        <DayHeader
          known={known}
          place={day}
          wanted={wanted}
          hasSummary={Boolean(view?.summaryMarkdown) && !wanted.q}
          onContext={onContext}
        />
        {view ? (
          <Day
            key={view.day}
            view={view}
            loading={loading}
            arrival={arrival}
            isFetched={isFetched}
            place={day}
            wanted={wanted}
            onContext={onContext}
          />
        ) : problem && !isLoading ? (
          <NotThere day={day} loading={loading} />
        ) : (
          <Waiting label="Loading the day" />
        )}
      </div>
      {inspected && id && (
        <Beside id={id} turn={inspected.turn} onTurn={onContext} onClose={() => inspect(null)} />
      )}
    </div>
  );
}

/** What the heading says: of the day that is shown, or of one that has no page. */
function useKnown(day: string | null, { view, problem, isLoading }: Loading): Known {
  const today = dayOf(useMinute(), useZone());
  const wanted = day ?? today;
  const isMissing = !isLoading && problem !== null && view === null;
  const [beside, setBeside] = useState<{ previousDay: string | null; nextDay: string | null }>();
  useEffect(() => {
    if (!isMissing || !isDay(wanted)) return;
    const ended = new AbortController();
    daysBeside(wanted, ended.signal).then(setBeside, () => undefined);
    return () => ended.abort();
  }, [isMissing, wanted]);
  const messageCount = useStore(({ transcripts }) =>
    view ? countOf(view, transcripts[view.conversationId ?? ""]) : 0,
  );
  if (view) return { ...view, messageCount };
  // Nobody is sent past days that are still being asked for.
  const next = isLoading || wanted >= today ? null : today;
  const previousDay = (isMissing && beside?.previousDay) || null;
  const nextDay = (isMissing && beside?.nextDay) || next;
  return { day: wanted, today, previousDay, nextDay, messageCount, conversationId: null };
}

/** Whether the message that the address names is here, or is known not to be. One of another day is
 * gone to there; one of a long day is fetched. */
function useTarget(view: DayView | null, { serial, target, standing }: Arrival): boolean {
  const [, navigate] = useLocation();
  const [looked, setLooked] = useState(-1);
  const wanted = standing && standing.messageId !== TOP ? standing.messageId : target;
  const isMissing =
    view !== null && wanted !== null && !view.messages.some(({ id }) => id === wanted);
  const day = view?.day;
  const id = view?.conversationId ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival is looked at once
  useEffect(() => {
    if (!isMissing || wanted === null || looked === serial) return;
    const look = async () => {
      const found = await dayOfMessage(wanted);
      if (found === null) tell("That message is not here any more.");
      else if (found !== day) navigate(dayAddress(found, wanted), { replace: true });
      else if (id !== null) await show(id, wanted);
    };
    look()
      .catch(notice)
      .finally(() => setLooked(serial));
  }, [isMissing, wanted, serial, day]);
  return view !== null && (!isMissing || looked === serial);
}

function NotThere({ day, loading }: { day: string | null; loading: Loading }) {
  const { problem, again } = loading;
  const isReal = day === null || isDay(day);
  const isNone = !isReal || problem?.status === 404 || problem?.status === 400;
  if (isNone && day !== null) {
    return (
      <div className="talk-missing">
        <h2>{isReal ? `Nothing was said on ${fullDay(day)}` : `${day} is not a day`}</h2>
        <p className="soft">
          {isReal
            ? "A day has a page as soon as something is said on it."
            : "A day is written as year, month and day, such as 2026-11-10."}
        </p>
        <Link className="button primary" href={TODAY}>
          Go to Today
        </Link>
      </div>
    );
  }
  return (
    <NotLoaded problem={problem} again={again}>
      <h2>This day could not be loaded</h2>
    </NotLoaded>
  );
}
