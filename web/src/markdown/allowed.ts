// What Markdown may become. Everything else is shown as the text that it is.

/** Elements: what Markdown itself makes, and the few that people write by hand in it. */
export const TAGS = [
  ...["a", "b", "blockquote", "br", "caption", "code", "del", "details", "div", "em", "h1", "h2"],
  ...["h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "s", "samp"],
  ...["small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th"],
  ...["thead", "tr", "u", "ul", "var"],
] as const;

/** Attributes. Neither `class`, `style`, `id` nor `name`: nobody dresses up as the page. */
export const ATTRIBUTES = [
  ...["align", "href", "open", "start", "title"],
  ...["data-image", "data-language", "data-task"],
] as const;

/** Addresses: the web, mail, and conversations and exchanges of this page. */
export const ADDRESSES = /^(?:https?:\/\/|mailto:|\/c\/conv-|\/external\/ext-)/i;
