import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Refused } from "../api/problem";
import { enter, signIn } from "./signing";
import { useSecondsLeft } from "./waiting";

/** Name and password. What the server says about wrong ones, and for how long one has to wait. */
export function NameForm() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Refused | null>(null);
  const left = useSecondsLeft(wrong);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);

  useEffect(() => first.current?.focus(), []);
  useEffect(() => {
    if (wrong) second.current?.select();
  }, [wrong]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || left > 0) return;
    setBusy(true);
    setWrong(null);
    const problem = await signIn({ name, password });
    if (problem) {
      setWrong(problem);
      setBusy(false);
    } else {
      enter();
    }
  };

  return (
    <form className="login-form" onSubmit={send}>
      <label htmlFor="name">Name</label>
      <input
        id="name"
        ref={first}
        className="field"
        required
        maxLength={64}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        ref={second}
        className="field"
        type="password"
        required
        maxLength={1000}
        autoComplete="current-password"
        aria-describedby={wrong ? "wrong" : undefined}
        aria-invalid={wrong?.code === "sign_in_required"}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {wrong && (
        <p id="wrong" className="login-wrong" role="alert">
          {wrong.message} {wrong.remedy}
        </p>
      )}
      <button type="submit" className="button primary" disabled={busy || left > 0}>
        {left > 0 ? `Sign in (in ${left} s)` : "Sign in"}
      </button>
    </form>
  );
}
