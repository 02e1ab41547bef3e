// How a browser is signed in. The code of a link is used by a POST, so that a preview of the link
// does not use it up.
import { get, post } from "../api/client";
import { asRefused, Refused } from "../api/problem";
import { afterSignIn } from "../ui/signIn";

/** The code of the link that was opened, if one was. */
export const codeHere = (): string | null => new URLSearchParams(location.search).get("code");

/** Whether somebody has a password; the server writes it into the page. */
export const takesPasswords = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content === "link or name";

export async function isSignedIn(): Promise<boolean> {
  try {
    await get("/api/me");
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Null when the browser is signed in, else why not. */
export async function signIn(
  by: { code: string } | { name: string; password: string },
): Promise<Refused | null> {
  try {
    await post("/api/login", by);
    return null;
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status > 0) return refused;
    return new Refused(
      refused.code,
      refused.message,
      "Check that Palaver is running, then try again.",
    );
  }
}

/** A page that the browser prepares in advance must not use the link up. */
export function whenShown(then: () => void): void {
  if ("prerendering" in document && document.prerendering) {
    document.addEventListener("prerenderingchange", then, { once: true });
  } else {
    then();
  }
}

export const enter = (): void => location.replace(afterSignIn());
