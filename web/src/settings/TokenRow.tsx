import { useState } from "react";
import { remove } from "../api/client";
import type { TokenView } from "../api/shapes";
import { useZone } from "../ui/Time";
import { ago, dayOf, dayWords } from "../ui/times";
import { useDoing } from "./asking";
import { Trouble } from "./Section";

export function TokenRow({ token, onRevoked }: { token: TokenView; onRevoked: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run } = useDoing();
  const zone = useZone();
  const name = token.name || "A token without a name";
  const revoke = () =>
    run(async () => {
      await remove(`/api/tokens/${token.id}`);
      onRevoked();
    });
  return (
    <li className="settings-item">
      <div>
        <strong>{name}</strong>
        <span className="settings-detail">{token.scopes.join(", ")}</span>
        <span className="settings-detail">{history(token, zone)}</span>
      </div>
      {token.revoked === null && !isAsking && (
        <button
          type="button"
          className="button"
          aria-label={`Revoke ${name}`}
          onClick={() => setAsking(true)}
        >
          Revoke…
        </button>
      )}
      {token.revoked === null && isAsking && (
        <div className="settings-confirm">
          <p>Programs that use it lose their way in at once. This cannot be undone.</p>
          <button
            type="button"
            className="button danger"
            disabled={isBusy}
            // biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone.
            autoFocus
            onClick={() => void revoke()}
          >
            Revoke “{name}”
          </button>
          <button type="button" className="button" onClick={() => setAsking(false)}>
            Keep it
          </button>
        </div>
      )}
      <Trouble problem={problem} />
    </li>
  );
}

function history(token: TokenView, zone: string | undefined): string {
  const day = (at: string) => dayWords(dayOf(at, zone), Date.now(), zone);
  const made = `Made ${day(token.created)}`;
  const used = token.lastUsed ? `used ${ago(token.lastUsed, Date.now(), zone)}` : "never used";
  if (token.revoked) return `${made}, revoked ${day(token.revoked)}`;
  if (!token.expires) return `${made}, ${used}, holds until it is revoked`;
  const isOver = Date.parse(token.expires) <= Date.now();
  return `${made}, ${used}, ${isOver ? "expired" : "expires"} ${day(token.expires)}`;
}
