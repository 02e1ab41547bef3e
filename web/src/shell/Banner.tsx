// How the page stands with the server, when it does not stand well: calm, with the remedy beside.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { tryNow } from "../state/actions";
import type { Connection } from "../state/model";
import { useStore } from "../state/store";
import { channelName } from "../ui/Icon";
import { count } from "../ui/numbers";
import { signInAddress } from "../ui/signIn";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";

/** A break shorter than this is not worth a word. */
const PATIENCE = 1_000;

export function Banner() {
  const connection = useStore((state) => state.connection);
  return (
    <div role="status" className="shell-banners">
      {connection.kind === "away" && <Away connection={connection} />}
      {connection.kind === "signed-out" && <SignedOut />}
      {connection.kind === "open" && <Health />}
      {connection.kind === "open" && <Channels />}
    </div>
  );
}

function Away({ connection }: { connection: Extract<Connection, { kind: "away" }> }) {
  const [isLong, setLong] = useState(false);
  const { since, because } = connection;
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(0, since + PATIENCE - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  if (!isLong) return null;
  return (
    <p className="shell-banner" title={`${because.message} ${because.remedy}`}>
      <span>Reconnecting… What you write is kept.</span>
      <button type="button" className="button" onClick={tryNow}>
        Try now
      </button>
    </p>
  );
}

function SignedOut() {
  // Nobody was signed in when the page opened: then there is nothing here to keep in sight.
  const isStranger = useStore((state) => state.me === null);
  useEffect(() => {
    if (isStranger) location.replace(signInAddress());
  }, [isStranger]);
  if (isStranger) return null;
  return (
    <p className="shell-banner">
      <span>You are signed out. What you write is kept.</span>
      {/* Another page of the server, so not a link of this one. */}
      <a className="button" href={signInAddress()}>
        Sign in
      </a>
    </p>
  );
}

/** How the server says that nothing is missing but the model that finds by meaning: no search goes
 * wrong without it. That stands in the settings, and in no one's way. */
const ONLY_MEANING = "Only words are found";

function Health() {
  const health = useStore((state) => state.health);
  if (!health || health.status === "ok" || health.detail.startsWith(ONLY_MEANING)) return null;
  if (health.status === "rebuilding") {
    return (
      <p className="shell-banner">
        <span>
          The search index is being made again
          {health.total > 0 && `: ${count(health.done)} of ${count(health.total)}`}. Until it is
          done, searches may miss something.
        </span>
      </p>
    );
  }
  return (
    <p className="shell-banner">
      <span>Searches may miss something. {health.detail}</span>
      <Link className="button" href="/settings#index">
        See the index
      </Link>
    </p>
  );
}

/** What is written there may not arrive. What is wrong is said by its provider, too. */
function Channels() {
  const channels = useStore((state) => state.channels);
  return channels
    .filter(({ state }) => state === "failing")
    .map(({ name, since, why }) => (
      <p key={name} className="shell-banner">
        <span className="shell-why" title={why ?? undefined}>
          {channelName(name)} is failing
          {since && (
            <>
              {" since "}
              <Time at={since} />
            </>
          )}
          . <Visible text={(why ?? "").replaceAll("`", "")} />
        </span>
        <Link className="button" href="/settings#channels">
          See the channels
        </Link>
      </p>
    ));
}
