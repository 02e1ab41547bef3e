// The channels: how each fares, whether it works, and how one is connected.
import { useEffect } from "react";
import { Link } from "wouter";
import { get } from "../api/client";
import type { ChannelList } from "../api/shapes";
import { changeState } from "../state/store";
import { useAsked } from "./asking";
import { ChannelRow } from "./ChannelRow";
import { Section, Trouble } from "./Section";

const EVERY = 10_000;

/** What is told here is known to the whole page. */
async function list(): Promise<ChannelList> {
  const told = await get<ChannelList>("/api/channels");
  changeState({ channels: told.channels });
  return told;
}

const TELEGRAM = `channels:
  telegram:
    enabled: true
    token: 123456:ABC…
    ownerIdentities: ["7654321"]`;

const EMAIL = `channels:
  email:
    enabled: true
    address: agent@example.com
    imapHost: imap.example.com
    smtpHost: smtp.example.com
    password: …
    ownerIdentities: [you@example.com]
    trustedAuthservIds: [mx.example.com]`;

export function Channels() {
  const { value, problem, again } = useAsked(list);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), EVERY);
    return () => clearInterval(timer);
  }, [again]);
  const channels = value?.channels ?? [];
  return (
    <Section title="Channels" id="channels">
      <p className="soft">
        By a channel you write to Palaver from elsewhere. What others write there stands under{" "}
        <Link href="/external">External communications</Link>.
      </p>
      <Trouble problem={problem} />
      {value && channels.length === 0 && <p>No channel is connected.</p>}
      {channels.length > 0 && (
        <ul className="settings-list" aria-label="Channels">
          {channels.map((one) => (
            <ChannelRow key={one.name} channel={one} onTried={again} />
          ))}
        </ul>
      )}
      {value && <Connecting isOpen={channels.length === 0} />}
    </Section>
  );
}

/** In words, because secrets are not typed into a page. */
function Connecting({ isOpen }: { isOpen: boolean }) {
  return (
    <details className="settings-fold" open={isOpen}>
      <summary>How to connect a channel</summary>
      <p>
        Write it into <code>config.yaml</code> in Palaver’s home, and start Palaver again.{" "}
        <code>ownerIdentities</code> says who you are there: everybody else is an outsider.
      </p>
      <div className="settings-examples">
        <figure>
          <figcaption>Telegram</figcaption>
          <pre>{TELEGRAM}</pre>
        </figure>
        <figure>
          <figcaption>E-mail</figcaption>
          <pre>{EMAIL}</pre>
        </figure>
      </div>
      <p className="soft">
        WhatsApp, and what each setting means, are in <code>docs/how-to/channels.md</code>. Then
        press Test.
      </p>
    </details>
  );
}
