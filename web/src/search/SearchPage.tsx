// Search: as it is typed for, across everything. What is looked for stands in the address; the box
// is the sidebar's.
import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { Skeleton } from "../ui/Skeleton";
import { scrollerOf } from "../ui/scroller";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { useAnswer } from "./asking";
import { Chips } from "./Chips";
import { Filters } from "./Filters";
import { Apart, EmptyWindow, NothingFound, NothingTyped, summaryOf, Trouble } from "./Notes";
import { Result } from "./Result";
import { leave, placeLeft } from "./returning";
import { hits, useWalking } from "./walking";
import { addressOf, hasWords, type Wanted, wantedOf } from "./wanted";
import "./search.css";

export default function SearchPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const wanted = useMemo(() => wantedOf(search), [search]);
  const { answer, problem, isAsking, isLoadingMore, loadMore, askAgain } = useAnswer(wanted);
  const top = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const key = addressOf(wanted);
  useDocumentTitle(hasWords(wanted) ? `${wanted.q} · Search` : "Search");
  useWalking(list);

  // Back from a result: at the same place, on the same result. Otherwise at the top.
  const first = useRef(key);
  useLayoutEffect(() => {
    if (!top.current) return;
    const left = placeLeft(first.current);
    scrollerOf(top.current).scrollTop = left?.scrolled ?? 0;
    if (left) hits(list.current)[left.opened]?.focus({ preventScroll: true });
  }, []);

  const change = useCallback(
    (part: Partial<Wanted>) => navigate(addressOf({ ...wanted, ...part }), { replace: true }),
    [navigate, wanted],
  );
  const open = (place: number) => {
    if (answer && top.current) leave(key, answer, place, scrollerOf(top.current).scrollTop);
  };

  const isWanted = hasWords(wanted);
  const isNothing = answer?.page.results.length === 0;
  return (
    <div ref={top} className="find-page" aria-busy={isAsking}>
      <h1 tabIndex={-1}>Search</h1>
      <Filters wanted={wanted} change={change} />
      <Chips wanted={wanted} answer={answer} change={change} />
      {wanted.kind === "external" && <Apart />}
      {!isWanted && <NothingTyped wanted={wanted} />}
      {isWanted && problem && <Trouble problem={problem} again={askAgain} />}
      {isWanted && !answer && !problem && <Skeleton lines={6} label="Searching" />}
      {isWanted && answer && (
        <>
          <EmptyWindow answer={answer} />
          <p className={isNothing ? "only-heard" : "find-count soft"} role="status">
            {summaryOf(answer)}
          </p>
          {isNothing && <NothingFound wanted={answer.wanted} />}
          <ol ref={list} className="find-results" aria-label="Results">
            {answer.page.results.map((result, place) => (
              <Result
                key={`${result.conversationId} ${result.kind === "conversation" ? "" : result.messageIds[0]}`}
                result={result}
                isNear={result.highlights.length === 0 && !answer.page.timeWindow}
                onOpen={() => open(place)}
              />
            ))}
          </ol>
          {answer.page.nextCursor && (
            <button type="button" className="button" onClick={loadMore} disabled={isLoadingMore}>
              {isLoadingMore ? "Loading more…" : "More results"}
            </button>
          )}
        </>
      )}
    </div>
  );
}
