import { useState } from "react";
import { post } from "../api/client";
import type { ChannelTest, ChannelView } from "../api/shapes";
import { copy } from "../ui/copying";
import { ChannelIcon, channelName } from "../ui/Icon";
import { useMinute, useZone } from "../ui/Time";
import { fullTime, said } from "../ui/times";
import { Visible } from "../ui/Visible";
import { useMay } from "./may";
import { failed, Outcome, type Tried, tryOut } from "./Trying";

interface Props {
  channel: ChannelView;
  onTried: () => void;
}

export function ChannelRow({ channel, onTried }: Props) {
  const [tried, setTried] = useState<Tried | null>(null);
  const mayTry = useMay("admin");
  const name = channelName(channel.name);
  const test = async () => {
    setTried("trying");
    setTried(await connects(channel.name));
    onTried();
  };
  return (
    <li className="settings-item">
      <div>
        <ChannelIcon channel={channel.name} /> <strong>{name}</strong>
        {channel.role === "personal" && (
          <span className="settings-tag quiet">your own account</span>
        )}
        <Fares channel={channel} />
      </div>
      {mayTry && (
        <button
          type="button"
          className="button"
          aria-label={`Test ${name}`}
          disabled={tried === "trying"}
          onClick={() => void test()}
        >
          Test
        </button>
      )}
      {channel.webhook && <Webhook name={name} path={channel.webhook} />}
      <Outcome asking={`Connecting to ${name}…`} tried={tried} />
    </li>
  );
}

const STATES: Record<ChannelView["state"], string> = {
  connected: "Connected",
  waiting: "Waiting",
  failing: "Failing",
  off: "Not running",
};

/** A state that a newer server names is called so. */
const stateName = (state: string): string =>
  Object.hasOwn(STATES, state) ? STATES[state as ChannelView["state"]] : state;

/** What is wrong is said by the provider, too: it is shown as text. */
function Fares({ channel: { state, since, why } }: { channel: ChannelView }) {
  const now = useMinute();
  const zone = useZone();
  return (
    <span className="settings-detail">
      <span className={`settings-dot ${state}`} />{" "}
      {since ? (
        <span title={fullTime(since, zone)}>
          {stateName(state)} since {said(since, now, zone)}.
        </span>
      ) : (
        `${stateName(state)}.`
      )}{" "}
      {why && <Visible text={why.replaceAll("`", "")} />}
    </span>
  );
}

/** Where the provider calls: as this page is reached. */
function Webhook({ name, path }: { name: string; path: string }) {
  const address = `${location.origin}${path}`;
  const isPublic = location.protocol === "https:";
  return (
    <div className="settings-webhook">
      <span className="soft">Its provider calls</span> <code>{address}</code>
      <button
        type="button"
        className="button"
        aria-label={`Copy the address for ${name}`}
        onClick={() => void copy(address, "The address is copied.")}
      >
        Copy
      </button>
      {!isPublic && (
        <span className="soft">
          The provider needs one that begins with https:// and is reached from outside.
        </span>
      )}
    </div>
  );
}

const connects = (name: string): Promise<Tried> =>
  tryOut(async () => {
    const path = `/api/channels/${encodeURIComponent(name)}/test`;
    const { ok, message, remedy } = await post<ChannelTest>(path);
    return ok ? { ok, text: message } : failed(message, remedy);
  });
