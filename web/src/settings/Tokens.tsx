// Tokens: what programs show instead of a password.
import { useState } from "react";
import { get } from "../api/client";
import type { NewTokenView, TokenList } from "../api/shapes";
import { counted } from "../ui/numbers";
import { useAsked } from "./asking";
import { NewToken } from "./NewToken";
import { Section, Trouble } from "./Section";
import { ShownToken } from "./ShownToken";
import { TokenRow } from "./TokenRow";

const list = () => get<TokenList>("/api/tokens");

export function Tokens() {
  const { value, problem, again } = useAsked(list);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewTokenView | null>(null);
  const valid = value?.tokens.filter((one) => one.revoked === null) ?? [];
  const revoked = value?.tokens.filter((one) => one.revoked !== null) ?? [];
  const keep = (token: NewTokenView) => {
    setMaking(false);
    setMade(token);
    again();
  };
  return (
    <Section title="Tokens">
      <p className="soft">
        A program that reads or writes your conversations shows a token instead of a password.
      </p>
      <Trouble problem={problem} />
      {made && <ShownToken made={made} onDone={() => setMade(null)} />}
      {value && valid.length === 0 && !made && <p>No program has a token yet.</p>}
      {valid.length > 0 && (
        <ul className="settings-list" aria-label="Tokens">
          {valid.map((one) => (
            <TokenRow key={one.id} token={one} onRevoked={again} />
          ))}
        </ul>
      )}
      {isMaking ? (
        <NewToken onMade={keep} onCancel={() => setMaking(false)} />
      ) : (
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New token…
        </button>
      )}
      {revoked.length > 0 && (
        <details className="settings-fold">
          <summary>{counted(revoked.length, "revoked token")}</summary>
          <ul className="settings-list">
            {revoked.map((one) => (
              <TokenRow key={one.id} token={one} onRevoked={again} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
