// The form for a new token: a name, what it may do, how long.
import { type FormEvent, useId, useState } from "react";
import { post } from "../api/client";
import type { NewTokenBody, NewTokenView } from "../api/shapes";
import { useDoing } from "./asking";
import { EXPIRIES, expiryAfter } from "./expiries";
import { useMay } from "./may";
import { Trouble } from "./Section";
import { SCOPES, type Scope } from "./scopes";

interface Props {
  onMade: (token: NewTokenView) => void;
  onCancel: () => void;
}

export function NewToken({ onMade, onCancel }: Props) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read", "recall"]);
  const [days, setDays] = useState<number>(90);
  const { isBusy, problem, run } = useDoing();
  const mayGiveAdmin = useMay("admin");
  const id = useId();
  const turn = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  const make = (event: FormEvent) => {
    event.preventDefault();
    const body: NewTokenBody = {
      name: name.trim(),
      scopes: [...scopes],
      expires: expiryAfter(days),
    };
    void run(async () => onMade(await post<NewTokenView>("/api/tokens", body)));
  };
  return (
    <form className="settings-form" aria-label="New token" onSubmit={make}>
      <label htmlFor={`${id}-name`}>Name, so that you know it again</label>
      <input
        id={`${id}-name`}
        className="field settings-wide"
        required
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: somebody has just asked for this form.
        autoFocus
        placeholder="Backup script"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="settings-choices tall">
        <legend>It may</legend>
        {SCOPES.filter(({ scope }) => scope !== "admin" || mayGiveAdmin).map(({ scope, may }) => (
          <label key={scope} className="settings-choice">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => turn(scope)} />
            <span>
              {may} <code className="soft">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <label htmlFor={`${id}-days`}>Valid for</label>
      <select
        id={`${id}-days`}
        className="field"
        value={days}
        onChange={(event) => setDays(Number(event.target.value))}
      >
        {EXPIRIES.map((one) => (
          <option key={one.days} value={one.days}>
            {one.label}
          </option>
        ))}
      </select>
      {scopes.length === 0 && <p className="soft">Choose at least one thing that it may do.</p>}
      <Trouble problem={problem} />
      <div className="settings-row">
        <button
          type="submit"
          className="button primary"
          disabled={isBusy || !name.trim() || scopes.length === 0}
        >
          Create token
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
