// The last step before anything is shown. What comes out cannot run and cannot fetch.
import DOMPurify from "dompurify";
import { ADDRESSES, ATTRIBUTES, TAGS } from "./allowed";

const TAG = new RegExp(`<(/?(?:${TAGS.join("|")}))(\\s[^<>]*)?/?>|<`, "gi");
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+))/g;
const ALLOWED: ReadonlySet<string> = new Set(ATTRIBUTES);

/** HTML that somebody wrote in Markdown. A tag that is not allowed becomes its own text, so that
 * `<input>` in a sentence is read and not swallowed; others lose what is not allowed in them.
 * This keeps the words, and the console clean: what makes it safe is `sanitise`. */
export function keepForeignTags(html: string): string {
  return html.replace(TAG, (_, tag: string | undefined, rest = "") =>
    tag === undefined ? "&lt;" : `<${tag}${attributesIn(rest)}>`,
  );
}

function attributesIn(rest: string): string {
  const kept = [...rest.matchAll(ATTRIBUTE)].filter(([, name]) => ALLOWED.has(name ?? ""));
  return kept
    .map(([, name, one, two, three]) => [
      name,
      (one ?? two ?? three ?? "").replaceAll('"', "&quot;"),
    ])
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
}

/** Nodes without anything that runs, fetches, submits or poses as a part of the page. */
export function sanitise(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...TAGS],
    ALLOWED_ATTR: [...ATTRIBUTES],
    ALLOWED_URI_REGEXP: ADDRESSES,
    // The values of all others are words or numbers, and are not judged as addresses.
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== "href"),
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/** Code with its colours: spans of highlight.js, and nothing else. */
export function sanitiseCode(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ["span"],
    ALLOWED_ATTR: ["class"],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
