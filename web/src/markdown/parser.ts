// Markdown to HTML, one block at a time. What comes out is not safe yet: see sanitise.ts.
import { Marked, type RendererObject } from "marked";
import { keepForeignTags } from "./sanitise";

const ENTITY = /&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w{1,32});)/g;

function escaped(text: string): string {
  return text
    .replace(ENTITY, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function escapedWhole(text: string): string {
  return escaped(text.replaceAll("&", "&amp;"));
}

const renderer: RendererObject = {
  code({ text, lang }) {
    return `<pre data-language="${escapedWhole(language(lang))}"><code>${escapedWhole(text)}</code></pre>`;
  },
  html({ text }) {
    return keepForeignTags(text);
  },
  // The heading of the page and of the conversation are above those of a message.
  heading({ tokens, depth }) {
    const level = Math.min(depth + 2, 6);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  },
  checkbox({ checked }) {
    return `<span data-task="${checked ? "done" : "open"}"></span>`;
  },
  // An image is not fetched. It becomes a link that says where it would come from.
  image({ href, text }) {
    return `<a data-image="" href="${escaped(href)}">${escaped(text)}</a>`;
  },
  text(token) {
    if ("tokens" in token && token.tokens) return this.parser.parseInline(token.tokens);
    return escaped(token.text);
  },
};

/** Lines break where they were broken, as people expect who write in a box. */
export const markdown = new Marked({ gfm: true, breaks: true, renderer });

/** The language after a fence, without what may follow it. */
export function language(info: string | undefined): string {
  return /^[^\s{,]*/.exec(info ?? "")?.[0] ?? "";
}

export function html(source: string): string {
  return markdown.parse(source, { async: false }).trimEnd();
}
