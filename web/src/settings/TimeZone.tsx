// The zone in which days begin and times are told.
import { useStore } from "../state/store";
import { useMinute } from "../ui/Time";
import { clockTime, dayOf, fullDay } from "../ui/times";
import { useDoing } from "./asking";
import { choose } from "./choosing";
import { useMay } from "./may";
import { Section, Trouble } from "./Section";

import { ZonePicker } from "./ZonePicker";
import { zoneHere, zoneWords } from "./zones";

export function TimeZone() {
  const me = useStore((state) => state.me);
  const now = useMinute();
  const mayWrite = useMay("write");
  const { isBusy, problem, run } = useDoing();
  if (!me) return null;
  const take = (timezone: string | null) => run(() => choose({ timezone }));
  const here = zoneHere();
  return (
    <Section title="Time zone">
      <p className="soft">Days begin, and times are told, as they do there.</p>
      <div className="settings-row">
        <ZonePicker
          zone={me.timezone}
          now={now}
          disabled={isBusy || !mayWrite}
          onChoose={(zone) => void take(zone)}
        />
        {me.chosen.includes("timezone") && mayWrite && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => void take(null)}
          >
            Use the default
          </button>
        )}
      </div>
      <p role="status">
        It is {clockTime(now, me.timezone)} there, on {fullDay(dayOf(now, me.timezone))}.
      </p>
      {here !== me.timezone && mayWrite && (
        <p className="soft">
          This machine is in {zoneWords(here)}.{" "}
          <button
            type="button"
            className="settings-link"
            disabled={isBusy}
            onClick={() => void take(here)}
          >
            Use that
          </button>
        </p>
      )}
      <Trouble problem={problem} />
    </Section>
  );
}
