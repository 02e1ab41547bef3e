// Insights: how much was said and when, what it cost, and how much is kept.
import { useLayoutEffect, useMemo, useRef } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { Skeleton } from "../ui/Skeleton";
import { scrollerOf } from "../ui/scroller";
import { fullDay } from "../ui/times";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { useInsights } from "./asking";
import { Calendar } from "./Calendar";
import { Kept } from "./Kept";
import { Ranges } from "./Ranges";
import { addressOf, type Range, rangeOf } from "./range";
import { Said } from "./Said";
import "./insights.css";

export default function InsightsPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const range = useMemo(() => rangeOf(search), [search]);
  const { told, problem, askAgain } = useInsights(range);
  const top = useRef<HTMLDivElement>(null);
  useDocumentTitle("Insights");
  useLayoutEffect(() => {
    if (top.current) scrollerOf(top.current).scrollTop = 0;
  }, []);
  const change = (next: Range) => navigate(addressOf(next), { replace: true });

  const year = told?.year;
  const chosen = told?.chosen;
  const isNothing = year?.days.length === 0 && chosen?.days.length === 0;
  return (
    <div ref={top} className="insights-page">
      <h1 tabIndex={-1}>Insights</h1>
      {problem && (
        <div className="insights-trouble" role="alert">
          <p>
            {problem.message} {problem.remedy}
          </p>
          <button type="button" className="button" onClick={askAgain}>
            Ask again
          </button>
        </div>
      )}
      {!told && !problem && <Skeleton lines={8} label="Counting" />}
      {year && isNothing && (
        <div className="insights-empty">
          <p>
            Nothing was said in the year until {fullDay(year.to)}. What you say is counted here by
            day.
          </p>
          <Link className="button primary" href="/?new">
            Begin a conversation
          </Link>
        </div>
      )}
      {year && !isNothing && (
        <section aria-labelledby="insights-days">
          <h2 id="insights-days">The year, day by day</h2>
          <Calendar first={year.from} last={year.to} said={year.days} />
        </section>
      )}
      {told && chosen && (
        <>
          <Ranges range={range} shown={{ from: chosen.from, to: chosen.to }} change={change} />
          {!isNothing && <Said told={chosen} />}
          <Kept storage={chosen.storage} index={chosen.index} />
        </>
      )}
    </div>
  );
}
