// What a message was made with, and what it cost.
import type { Message } from "../api/shapes";
import { count, dollars } from "../ui/numbers";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";

const TOKENS = [
  ["input", "Tokens read"],
  ["output", "Tokens written"],
  ["cacheRead", "of them from the cache"],
  ["cacheWrite", "put into the cache"],
] as const;

export function Details({ message }: { message: Message }) {
  const { model, usage, cost, turnNumber, timestamp, channel, id } = message;
  return (
    <dl className="talk-details">
      {model && (
        <Line label="Model">
          <Visible text={model} />
        </Line>
      )}
      {TOKENS.map(([name, label]) => {
        const value = usage?.[name];
        return typeof value === "number" ? (
          <Line key={name} label={label}>
            {count(value)}
          </Line>
        ) : null;
      })}
      {cost !== null && <Line label="Cost">{dollars(cost)}</Line>}
      <Line label="Said">
        <Time at={timestamp} />
      </Line>
      <Line label="Turn">{count(turnNumber)}</Line>
      {channel && (
        <Line label="Channel">
          <Visible text={channel} />
        </Line>
      )}
      <Line label="Id">
        <code>{id}</code>
      </Line>
    </dl>
  );
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
