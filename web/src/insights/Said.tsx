// What was said in the chosen days: in all, over time, by model and by channel.
import { useId, useMemo, useState } from "react";
import type { Insights } from "../api/shapes";
import { channelName } from "../ui/Icon";
import { count, dollars } from "../ui/numbers";
import { Chart } from "./Chart";
import { daysFrom } from "./days";
import { isByWeek, MEASURES, type Measure, steps, sum } from "./measures";
import { Numbers } from "./Numbers";
import { Shares } from "./Shares";

const KEYS = Object.keys(MEASURES) as Measure[];

export function Said({ told }: { told: Insights }) {
  const [measure, setMeasure] = useState<Measure>("messages");
  const name = useId();
  const days = useMemo(() => daysFrom(told.from, told.to), [told.from, told.to]);
  const bars = useMemo(() => steps(days, told.days), [days, told.days]);
  const total = sum(told.days);
  const { label } = MEASURES[measure];
  return (
    <>
      <dl className="insights-facts">
        <div>
          <dt>Messages</dt>
          <dd>{count(total.messages)}</dd>
        </div>
        <div>
          <dt>Days with messages</dt>
          <dd>{count(told.days.length)}</dd>
        </div>
        <div>
          <dt>Tokens read</dt>
          <dd>{count(total.inputTokens)}</dd>
        </div>
        <div>
          <dt>Tokens written</dt>
          <dd>{count(total.outputTokens)}</dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>{dollars(total.cost)}</dd>
        </div>
      </dl>
      <div className="insights-choice" role="radiogroup" aria-label="What is counted">
        {KEYS.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              checked={measure === one}
              onChange={() => setMeasure(one)}
            />
            <span>{MEASURES[one].label}</span>
          </label>
        ))}
      </div>
      <section aria-labelledby="insights-time">
        <h2 id="insights-time">
          {label} by {isByWeek(days) ? "week" : "day"}
        </h2>
        <Chart measure={measure} steps={bars} />
        <details className="insights-fold">
          <summary>Show the numbers</summary>
          <Numbers days={told.days} />
        </details>
      </section>
      {told.models.length > 0 && (
        <section aria-labelledby="insights-models">
          <h2 id="insights-models">{label} by model</h2>
          <Shares
            label={`${label} by model`}
            measure={measure}
            shares={told.models.map((one) => ({ ...one, name: one.model }))}
          />
        </section>
      )}
      {told.channels.length > 0 && (
        <section aria-labelledby="insights-channels">
          <h2 id="insights-channels">{label} by channel</h2>
          <Shares
            label={`${label} by channel`}
            measure={measure}
            shares={told.channels.map((one) => ({ ...one, name: channelName(one.channel) }))}
          />
        </section>
      )}
    </>
  );
}
