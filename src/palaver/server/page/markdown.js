// A small, safe part of Markdown, built node by node. Nothing in it can become markup, load a
// picture or run; what it does not know stays the text it is.
import { el } from "./dom.js";
import { visible } from "./text.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^ {0,3}[-*+]\s+(.*)$/;
const NUMBER = /^ {0,3}\d{1,9}[.)]\s+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const MAX_DEPTH = 8;
const LONG = 200_000;

// `titles` are shown on hover by links that lead to `#id`.
export function markdown(source, titles = new Map()) {
  if (source.length > LONG) return [el("p", { class: "said", dir: "auto" }, ...visible(source))];
  return blocks(source.split("\n"), titles, 0);
}

function blocks(lines, titles, depth) {
  const nodes = [];
  let index = 0;
  const take = (pattern) => {
    const taken = [];
    for (let found; index < lines.length && (found = pattern.exec(lines[index])); index += 1) taken.push(found[1]);
    return taken;
  };
  while (index < lines.length) {
    const line = lines[index];
    if (!line.trim()) index += 1;
    else if (FENCE.test(line)) nodes.push(fenced());
    else if (HEADING.test(line)) nodes.push(el("h3", {}, ...inline(take(HEADING).join(" "), titles)));
    else if (QUOTE.test(line) && depth < MAX_DEPTH) {
      nodes.push(el("blockquote", { dir: "auto" }, ...blocks(take(QUOTE), titles, depth + 1)));
    } else if (BULLET.test(line)) nodes.push(list("ul", take(BULLET)));
    else if (NUMBER.test(line)) nodes.push(list("ol", take(NUMBER)));
    else nodes.push(paragraph());
  }
  return nodes;

  function fenced() {
    const fence = FENCE.exec(lines[index])[1];
    const code = [];
    for (index += 1; index < lines.length && !lines[index].trim().startsWith(fence); index += 1) code.push(lines[index]);
    index += 1;
    return el("pre", { dir: "ltr", tabindex: "0" }, el("code", {}, ...visible(code.join("\n"))));
  }

  function paragraph() {
    const text = [lines[index]];
    for (index += 1; index < lines.length && continues(lines[index], depth); index += 1) text.push(lines[index]);
    return el("p", { dir: "auto" }, ...inline(text.join("\n"), titles));
  }

  function list(tag, items) {
    return el(tag, { dir: "auto" }, ...items.map((item) => el("li", {}, ...inline(item, titles))));
  }
}

const continues = (line, depth) =>
  line.trim() !== "" &&
  ![FENCE, HEADING, BULLET, NUMBER].some((pattern) => pattern.test(line)) &&
  !(QUOTE.test(line) && depth < MAX_DEPTH);

// One pass over the text; the first alternative that matches decides. Every span is bounded, so
// that no text takes long.
const INLINE = new RegExp(
  [
    /\\([!-\/:-@[-`{-~])/, // an escaped character
    /(?<!`)(?<ticks>`{1,8})(?!`)([\s\S]{1,1000}?)(?<!`)\k<ticks>(?!`)/, // code
    /\*\*(?=\S)([\s\S]{0,1000}?\S)\*\*/, // bold
    /\*(?=[^\s*])([^*]{0,1000}[^\s*]|[^\s*])\*/, // emphasis
    /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{0,1000}[^\s_]|[^\s_])_(?![\p{L}\p{N}_])/u,
    /!?\[((?:\\.|[^[\]\\]){1,1000})\]\(([^\s()<>]{1,2000})\)/, // a link; a picture is only ever a link
    /(https?:\/\/[^\s<>"'`\\]{1,2000})/, // an address
  ]
    .map((pattern) => pattern.source)
    .join("|"),
  "gu",
);

function inline(text, titles) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(...visible(text.slice(from, found.index)), ...piece(found, titles));
    from = found.index + found[0].length;
  }
  nodes.push(...visible(text.slice(from)));
  return nodes;
}

function piece([whole, escape, , code, bold, star, underscore, label, target, address], titles) {
  if (escape !== undefined) return [escape];
  if (code !== undefined) return [el("code", {}, ...visible(code))];
  if (bold !== undefined) return [el("strong", {}, ...inline(bold, titles))];
  if (star !== undefined) return [el("em", {}, ...inline(star, titles))];
  if (underscore !== undefined) return [el("em", {}, ...inline(underscore, titles))];
  if (label !== undefined) return link(visible(label.replace(/\\([!-/:-@[-`{-~])/g, "$1")), target, whole, titles);
  const end = /[.,;:!?)\]]+$/.exec(address)?.[0] ?? "";
  const plain = address.slice(0, address.length - end.length);
  return [...link(visible(plain), plain, plain, titles), end];
}

// Own addresses are followed here; others open beside the page and show where they lead.
function link(children, target, whole, titles) {
  if (/^\/(?!\/)[^\\]*$/.test(target)) {
    const title = titles.get(target.split("#")[1]);
    return [el("a", { href: target, dir: "auto", class: "source", title }, ...children)];
  }
  let url;
  try {
    url = new URL(target);
  } catch {
    return visible(whole);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return visible(whole);
  const attributes = { href: url.href, rel: "noopener noreferrer", target: "_blank", title: url.href };
  return [el("a", { class: "outside", dir: "auto", ...attributes }, ...children)];
}
