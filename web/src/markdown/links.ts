// What a link really leads to, and whether its text says so.

export type Target =
  | { kind: "inside"; path: string }
  | { kind: "outside"; address: string; host: string }
  | { kind: "nowhere" };

const INSIDE = /^\/(?:c\/conv|external\/ext)-[0-9A-Za-z]{1,64}$/;
const OUTSIDE = new Set(["http:", "https:", "mailto:"]);
/** Characters that turn the direction of a text, or are not seen at all. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const HOST_LIKE = /(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/gu;

export function target(href: string, origin: string): Target {
  const url = parsed(href, origin);
  if (url === null) return { kind: "nowhere" };
  if (url.origin === origin && INSIDE.test(url.pathname)) {
    return { kind: "inside", path: url.pathname + url.hash };
  }
  const isWhole = /^[a-z]+:/i.test(href.trim());
  if (!isWhole || !OUTSIDE.has(url.protocol)) return { kind: "nowhere" };
  return { kind: "outside", address: url.href, host: hostOf(url) };
}

/** Whether a text names another place than the one its link leads to, or might seem to. */
export function hides(text: string, address: string, host: string): boolean {
  const url = parsed(address);
  if (url === null || text.search(UNSEEN) !== -1 || host.includes("xn--")) return true;
  if (url.protocol !== "mailto:" && url.username + url.password !== "") return true;
  const named = parsed(text.trim());
  if (named !== null && OUTSIDE.has(named.protocol)) return !isSame(hostOf(named), host);
  return [...text.matchAll(HOST_LIKE)].some(([found]) => !isSame(found, host));
}

/** Whether nothing of a text is seen. */
export const isBlank = (text: string): boolean => text.replace(UNSEEN, "").trim() === "";

function hostOf(url: URL): string {
  if (url.protocol !== "mailto:") return url.host;
  return decoded(url.pathname).split("@").at(-1) ?? "";
}

function isSame(one: string, other: string): boolean {
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, "");
  return bare(one) === bare(other);
}

function parsed(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
