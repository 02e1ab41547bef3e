// The small line below a memory: how sure it is, how often it was used, since when, by whom.
import { useMinute, useZone } from "../ui/Time";
import { fullTime } from "../ui/times";
import { Visible } from "../ui/Visible";
import type { Memory } from "./shapes";
import { day, noter, since, sureness, surenessExactly, used } from "./words";

export function About({ memory, hasUse = true }: { memory: Memory; hasUse?: boolean }) {
  const now = useMinute();
  const zone = useZone();
  const { confidence, category, by, edited, created, lastAccessedAt } = memory;
  const at = since(memory);
  return (
    <p className="mem-about soft">
      {category && (
        <span className="mem-category" dir="auto">
          <Visible text={category} />
        </span>
      )}
      <span title={surenessExactly(confidence)}>{sureness(confidence)}</span>
      {hasUse && (
        <span title={lastAccessedAt ? fullTime(lastAccessedAt, zone) : undefined}>
          {used(memory, now, zone)}
        </span>
      )}
      <span title={fullTime(at, zone)}>
        {memory.validFrom ? "since" : "noted"} {day(at, now, zone)}
      </span>
      <span title={`Noted ${fullTime(created, zone)}`}>
        by {noter(by)}
        {edited && by !== "user" && ", edited by you"}
      </span>
    </p>
  );
}
