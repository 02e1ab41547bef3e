// Signing in: by the link that Palaver printed, or by name and password where somebody has one.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Refused } from "../api/problem";
import { NameForm } from "./NameForm";
import { codeHere, enter, isSignedIn, signIn, takesPasswords, whenShown } from "./signing";

type Stage =
  | { at: "asking" }
  | { at: "signing in" }
  | { at: "used up" }
  | { at: "failed"; problem: Refused };

export function Login() {
  const [code] = useState(codeHere);
  const [byName] = useState(takesPasswords);
  const [stage, setStage] = useState<Stage>({ at: code ? "signing in" : "asking" });
  const begun = useRef(false);

  const takeLink = useCallback(async (link: string) => {
    setStage({ at: "signing in" });
    const problem = await signIn({ code: link });
    if (!problem) enter();
    else if (problem.code !== "sign_in_required") setStage({ at: "failed", problem });
    else if (await isSignedIn()) enter();
    else setStage({ at: "used up" });
  }, []);

  useEffect(() => {
    if (begun.current) return; // a link works once
    begun.current = true;
    if (code) whenShown(() => void takeLink(code));
    else void isSignedIn().then((already) => already && enter());
  }, [code, takeLink]);

  return (
    <div className="alone">
      <main className="alone-card">
        <img src="/page/icon.svg" alt="" width="44" height="44" />
        <div aria-live="polite">
          <Words stage={stage} byName={byName} />
        </div>
        {stage.at === "failed" && code && (
          <button type="button" className="button primary" onClick={() => void takeLink(code)}>
            Try again
          </button>
        )}
        {byName && stage.at !== "signing in" && <NameForm />}
      </main>
    </div>
  );
}

function Words({ stage, byName }: { stage: Stage; byName: boolean }) {
  switch (stage.at) {
    case "signing in":
      return (
        <>
          <h1>Signing you in…</h1>
          <p>One moment.</p>
        </>
      );
    case "failed":
      return (
        <>
          <h1>That did not work</h1>
          <p>{stage.problem.message}</p>
          <p className="soft">{stage.problem.remedy}</p>
        </>
      );
    case "used up":
      return (
        <>
          <h1>This link does not work</h1>
          <p>
            A sign-in link works once, for a day, and only while the Palaver that printed it is
            running.
          </p>
          <p className="soft">
            {byName
              ? "Sign in with your name and password."
              : "To sign in here, stop Palaver and start it again with “palaver serve”: it prints a new link."}
          </p>
        </>
      );
    case "asking":
      return byName ? (
        <>
          <h1>Sign in to Palaver</h1>
          <p>With your name and password, or with the link that Palaver printed when it started.</p>
        </>
      ) : (
        <>
          <h1>Sign in to Palaver</h1>
          <p>
            Palaver prints a link when it starts. Open it here: it ends with a code that signs this
            browser in.
          </p>
          <p className="soft">
            The link works once. If it has been used, stop Palaver and start it again with “palaver
            serve” or “make run”: it prints a new link.
          </p>
        </>
      );
  }
}
