// Bars over time. The pointer, or the arrow keys, show the value of each; a table has them all.
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { fullDay } from "../ui/times";
import { dayLabel } from "./days";
import { MEASURES, type Measure, type Step, top } from "./measures";
import "./chart.css";

const HEIGHT = 190;
const SPACE = { left: 52, right: 4, top: 22, bottom: 22 };
const TICKS = 4;
const LABEL = 72; // so many pixels a date needs

const dates = ({ first, last }: Step): string =>
  first === last ? fullDay(first) : `${fullDay(first)} to ${fullDay(last)}`;

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 7,
  PageDown: -7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function Chart({ measure, steps }: { measure: Measure; steps: readonly Step[] }) {
  const [box, width] = useWidth();
  const [chosen, choose] = useState<number | null>(null);
  const { of, say, tick, unit, label } = MEASURES[measure];
  const last = steps.length - 1;
  const most = top(Math.max(0, ...steps.map(of)), measure !== "cost");
  const inner = Math.max(0, width - SPACE.left - SPACE.right);
  const wide = inner / Math.max(1, steps.length);
  const tall = HEIGHT - SPACE.top - SPACE.bottom;
  const y = (value: number) => SPACE.top + tall * (1 - value / most);
  const at = Math.min(chosen ?? last, last);
  const step = steps[at];
  const every = Math.max(1, Math.ceil(LABEL / Math.max(wide, 0.1)));

  const walk = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(last, at + by)));
  };
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - SPACE.left;
    if (wide > 0) choose(Math.max(0, Math.min(last, Math.floor(x / wide))));
  };

  if (!step) return null;
  const said = (one: Step) => `${say(of(one))}, ${dates(one)}`;
  const highest = steps.reduce((one, other) => (of(other) > of(one) ? other : one));
  return (
    <>
      <p className="insights-value" aria-hidden="true">
        {chosen === null ? <span className="soft">At most {said(highest)}</span> : said(step)}
      </p>
      <div
        ref={box}
        className="insights-chart"
        role="slider"
        tabIndex={0}
        aria-label={`${label} over time`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={said(step)}
        onKeyDown={walk}
        onFocus={() => choose(at)}
        onBlur={() => choose(null)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => choose(null)}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <text x={0} y={9}>
            {unit}
          </text>
          {Array.from({ length: TICKS + 1 }, (_, number) => (most * number) / TICKS).map((one) => (
            <g key={one}>
              <line x1={SPACE.left} x2={width - SPACE.right} y1={y(one)} y2={y(one)} />
              <text x={SPACE.left - 6} y={y(one)} dy="0.32em" textAnchor="end">
                {tick(one)}
              </text>
            </g>
          ))}
          {steps.map((one, number) => (
            <rect
              key={one.first}
              x={SPACE.left + number * wide + Math.min(1, wide * 0.15)}
              width={Math.max(0.5, wide - 2 * Math.min(1, wide * 0.15))}
              y={y(of(one))}
              height={Math.max(0, HEIGHT - SPACE.bottom - y(of(one)))}
              data-chosen={chosen === number || undefined}
            />
          ))}
          {steps.map(
            (one, number) =>
              (last - number) % every === 0 &&
              number * wide > LABEL / 3 && (
                <text
                  key={one.first}
                  x={Math.min(width - SPACE.right, SPACE.left + (number + 0.5) * wide + LABEL / 4)}
                  y={HEIGHT - 6}
                  textAnchor="end"
                >
                  {dayLabel(one.first)}
                </text>
              ),
          )}
        </svg>
      </div>
    </>
  );
}
