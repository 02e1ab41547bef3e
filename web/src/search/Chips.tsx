// What narrows the search, each with a way to remove it: the filters, and the time that the words
// name.
import { channelName, Icon } from "../ui/Icon";
import { useZone } from "../ui/Time";
import { fullDay } from "../ui/times";
import type { Answer } from "./asking";
import { spokenDays, spokenWindow } from "./spoken";
import type { Wanted } from "./wanted";

interface ChipProps {
  text: string;
  remove: string;
  onRemove: () => void;
}

function Chip({ text, remove, onRemove }: ChipProps) {
  return (
    <li className="find-chip">
      <span>{text}</span>
      <button
        type="button"
        className="find-remove"
        onClick={onRemove}
        aria-label={remove}
        title={remove}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}

function days({ from, to }: Wanted): string {
  if (from && from === to) return fullDay(from);
  if (!to) return `Since ${fullDay(from)}`;
  if (!from) return `Until ${fullDay(to)}`;
  return spokenDays(from, to);
}

export function Chips({
  wanted,
  answer,
  change,
}: {
  wanted: Wanted;
  answer: Answer | null;
  change: (part: Partial<Wanted>) => void;
}) {
  const zone = useZone();
  const hasDays = Boolean(wanted.from || wanted.to);
  // A window that was not asked for by a filter was understood from the words.
  const understood = hasDays ? null : (answer?.page.timeWindow ?? null);
  const isIgnored = wanted.isAllTime && !hasDays;
  if (!wanted.channel && !hasDays && !understood && !isIgnored) return null;
  return (
    <ul className="find-chips" aria-label="What narrows the search">
      {understood && (
        <Chip
          text={`Understood: ${spokenWindow(understood, zone)}`}
          remove="Search all time"
          onRemove={() => change({ isAllTime: true })}
        />
      )}
      {isIgnored && (
        <Chip
          text="All time is searched"
          remove="Go by the time in the words again"
          onRemove={() => change({ isAllTime: false })}
        />
      )}
      {wanted.channel && (
        <Chip
          text={channelName(wanted.channel)}
          remove="Search all channels"
          onRemove={() => change({ channel: "" })}
        />
      )}
      {hasDays && (
        <Chip
          text={days(wanted)}
          remove="Search all days"
          onRemove={() => change({ from: "", to: "" })}
        />
      )}
    </ul>
  );
}
