// Where one signs in, and how one comes back from there.

const TO = "to";

/** The sign-in page, which leads back to what is shown now. */
export function signInAddress(): string {
  const { pathname, search, hash } = location;
  const here = `${pathname}${search}${hash}`;
  return here === "/" ? "/login" : `/login?${new URLSearchParams({ [TO]: here })}`;
}

/** What the address of the sign-in page leads back to: never another site. */
export function afterSignIn(): string {
  const named = new URLSearchParams(location.search).get(TO) ?? "/";
  try {
    const address = new URL(named, location.origin);
    return address.origin === location.origin ? address.href : "/";
  } catch {
    return "/";
  }
}
