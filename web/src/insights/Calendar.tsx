// A year of days. Each is a way to what was said on it.
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { address } from "../api/client";
import { fullDay } from "../ui/times";
import { columns, LEVELS, label, levels, type Said, walked } from "./calendar";
import { monthLabel } from "./days";
import "./calendar.css";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

interface Props {
  first: string;
  last: string;
  said: readonly Said[];
  /** Where a day leads, if not to a search for it. */
  address?: (day: string) => string;
  /** The day that is looked at. */
  current?: string;
}

/** The search understands a day that is written out, and shows that it does. */
const searchOf = (day: string): string =>
  address("/search", { q: fullDay(day).split(" ").slice(1).join(" ") });

const ROOM = 2; // so many weeks the name of a month is wide

/** The month, over the first week that begins in it, unless the next one begins too soon. */
function monthOver(weeks: readonly (string | null)[][], week: number): string {
  const begin = (one: number) => weeks[one]?.find((day) => day !== null)?.slice(0, 7);
  const isNew = begin(week) !== begin(week - 1);
  const isCrowded = week === 0 && begin(week + ROOM) !== begin(week);
  return isNew && !isCrowded ? monthLabel(`${begin(week)}-01`) : "";
}

export function Calendar({ first, last, said, address: leads = searchOf, ...props }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(props.current ?? last);
  const current = chosen < first || chosen > last ? last : chosen;
  const weeks = useMemo(() => columns(first, last), [first, last]);
  const level = useMemo(() => levels(said), [said]);
  const messages = useMemo(() => new Map(said.map((one) => [one.day, one.messages])), [said]);

  // The latest days are what one looks for first, or the one that one comes from.
  const from = props.current;
  useLayoutEffect(() => {
    if (!scroller.current || !last) return;
    const here = from && scroller.current.querySelector(`[data-day="${from}"]`);
    const { scrollWidth, clientWidth } = scroller.current;
    const left = (one: Element) => one.getBoundingClientRect().left;
    scroller.current.scrollLeft = here
      ? left(here) - left(scroller.current) - clientWidth / 2
      : scrollWidth;
  }, [last, from]);

  const walk = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = walked(event.key, current, first, last);
    if (next === null) return;
    event.preventDefault();
    choose(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };

  const cell = (day: string) => {
    const many = messages.get(day) ?? 0;
    const shared = {
      "data-day": day,
      "data-level": level(many),
      "aria-label": label(day, many),
      title: label(day, many),
      tabIndex: day === current ? 0 : -1,
      onFocus: () => choose(day),
      className: "insights-day",
    };
    if (many === 0) return <span role="img" {...shared} />;
    const isHere = day === props.current;
    return <Link href={leads(day)} aria-current={isHere ? "date" : undefined} {...shared} />;
  };

  return (
    <div className="insights-year">
      <div className="insights-scroll" ref={scroller}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is walked is a grid */}
        <table role="grid" aria-label="Messages by day" className="insights-grid" onKeyDown={walk}>
          <thead aria-hidden="true">
            <tr>
              <td />
              {weeks.map((week, number) => (
                <td key={week.join()} className="insights-month">
                  <span>{monthOver(weeks, number)}</span>
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((name, row) => (
              <tr key={name}>
                <th scope="row" className="insights-weekday">
                  {name}
                </th>
                {weeks.map((week) => {
                  const day = week[row];
                  return <td key={week.join()}>{day && cell(day)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="insights-legend soft" aria-hidden="true">
        Fewer
        {Array.from({ length: LEVELS }, (_, number) => number).map((number) => (
          <span key={number} className="insights-day" data-level={number} />
        ))}
        More messages
      </p>
    </div>
  );
}
