// The search box of the days, and how far it looks.
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../ui/Icon";
import { addressOf, SCOPES, type Scope, type Wanted } from "./wanted";

const PAUSE = 200;
const NAMES: Record<Scope, string> = {
  day: "Day",
  recent: "Recent (14 days)",
  everything: "Everything",
};

interface Props {
  /** The day in the address; null at today's. */
  day: string | null;
  wanted: Wanted;
  /** It was asked for by a button: then it takes the focus. */
  isAsked: boolean;
}

export function Finding({ day, wanted, isAsked }: Props) {
  const [, go] = useLocation();
  const [text, setText] = useState(wanted.q);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address leads (Back, a link), but never over what is being typed.
  useEffect(() => {
    if (document.activeElement !== box.current || wanted.q === "") setText(wanted.q);
  }, [wanted.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isAsked) box.current?.focus();
  }, [isAsked]);

  const find = (change: Partial<Wanted>) => {
    clearTimeout(timer.current);
    const next = { ...wanted, q: text, ...change };
    if (next.q.trim() === wanted.q && next.scope === wanted.scope) return;
    // One step back leaves the search, however much was typed.
    go(addressOf(day, next), { replace: wanted.q !== "" || !next.q.trim() });
  };
  const latest = useRef(find);
  latest.current = find;
  const type = (q: string) => {
    setText(q);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current({ q }), PAUSE);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find({});
  };
  return (
    <search>
      <form className="day-finding" onSubmit={submit}>
        <span className="shell-search">
          <Icon name="search" />
          <input
            ref={box}
            type="search"
            className="field"
            aria-label="Search the days"
            placeholder="Search the days"
            autoComplete="off"
            enterKeyHint="search"
            value={text}
            onChange={(event) => type(event.target.value)}
          />
        </span>
        <select
          className="field"
          aria-label="Scope"
          value={wanted.scope}
          onChange={(event) => find({ scope: event.target.value as Scope })}
        >
          {SCOPES.map((scope) => (
            <option key={scope} value={scope}>
              {NAMES[scope]}
            </option>
          ))}
        </select>
      </form>
    </search>
  );
}
