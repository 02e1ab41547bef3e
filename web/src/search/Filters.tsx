// What the search is narrowed to. Everything is in the address, so that it can be kept and shared.
import { useId } from "react";
import { useStore } from "../state/store";
import { channelName } from "../ui/Icon";
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

export function Filters({
  wanted,
  change,
}: {
  wanted: Wanted;
  change: (part: Partial<Wanted>) => void;
}) {
  const name = useId();
  const channels = useChannels(wanted.channel);
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
    </fieldset>
  );
}
