// What the search is narrowed to. Everything is in the address, so that it can be kept and shared.
import { useId, useState } from "react";
import { useStore } from "../state/store";
import { channelName, Icon } from "../ui/Icon";
import { useMedia } from "../ui/useMedia";
import type { Kind, Wanted } from "./wanted";

const KNOWN = ["web", "cli", "email", "whatsapp", "telegram", "mcp"];
const KINDS: readonly { kind: Kind; label: string }[] = [
  { kind: "conversation", label: "Conversations" },
  { kind: "message", label: "Messages" },
  { kind: "external", label: "External" },
];

/** The channels Palaver knows, and others that were seen. */
function useChannels(chosen: string): string[] {
  const conversations = useStore((state) => state.conversations);
  const seen = Object.values(conversations).map(({ channel }) => channel);
  return [...new Set([...KNOWN, ...seen, ...(chosen ? [chosen] : [])])];
}

interface Props {
  wanted: Wanted;
  change: (part: Partial<Wanted>) => void;
}

/** On a phone the results come first: channel and days are behind a button, and what is chosen of
 * them stands in the chips. */
export function Filters({ wanted, change }: Props) {
  const name = useId();
  const isNarrow = useMedia("(max-width: 40rem)");
  const [isOpen, setOpen] = useState(false);
  return (
    <fieldset className="find-filters">
      <legend className="only-heard">Narrow the search</legend>
      <div className="find-kinds" role="radiogroup" aria-label="Find">
        {KINDS.map(({ kind, label }) => (
          <label key={kind} className="find-kind">
            <input
              type="radio"
              name={name}
              checked={wanted.kind === kind}
              onChange={() => change({ kind })}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {isNarrow && (
        <button
          type="button"
          className="button icon find-more"
          aria-label="Channel and days"
          title="Channel and days"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="settings" />
        </button>
      )}
      {(!isNarrow || isOpen) && (
        <>
          <ChannelFilter wanted={wanted} change={change} />
          <Days wanted={wanted} change={change} />
        </>
      )}
    </fieldset>
  );
}

function ChannelFilter({ wanted, change }: Props) {
  const channels = useChannels(wanted.channel);
  return (
    <label className="find-filter">
      <span className="soft">Channel</span>
      <select
        className="field"
        value={wanted.channel}
        onChange={(event) => change({ channel: event.target.value })}
      >
        <option value="">All channels</option>
        {channels.map((channel) => (
          <option key={channel} value={channel}>
            {channelName(channel)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Days({ wanted, change }: Props) {
  return (
    <div className="find-dates">
      <label className="find-filter">
        <span className="soft">From</span>
        <input
          className="field"
          type="date"
          value={wanted.from}
          max={wanted.to || undefined}
          onChange={(event) => change({ from: event.target.value })}
        />
      </label>
      <label className="find-filter">
        <span className="soft">To</span>
        <input
          className="field"
          type="date"
          value={wanted.to}
          min={wanted.from || undefined}
          onChange={(event) => change({ to: event.target.value })}
        />
      </label>
    </div>
  );
}
