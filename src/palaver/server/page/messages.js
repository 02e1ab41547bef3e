// Messages as articles: the user's own as softly tinted blocks, the assistant's as a page of text.
import { el, words } from "./dom.js";
import { markdown } from "./markdown.js";
import { clock, dayName, time } from "./times.js";
import { visible } from "./text.js";

let assistantName = "Assistant";
export function useAssistantName(name) {
  assistantName = name;
}

function speaker(message) {
  if (message.sender && message.author?.kind === "participant") return message.sender;
  return { user: "You", assistant: "Assistant", system: "System", tool: "Tool" }[message.role];
}

function body(message) {
  if (message.status === "redacted") return el("p", { class: "muted" }, "This message has been erased.");
  if (message.role !== "assistant") return words("div", message.content, { class: "body said" });
  const quotes = new Map(message.sources.map(({ messageId, quote }) => [messageId, quote && `“${quote}”`]));
  return el("div", { class: "body" }, ...markdown(message.content, quotes));
}

// Not what has been erased, and not what cannot be looked up yet.
const isErasable = ({ status, seq }) => status !== "redacted" && seq !== undefined;

// A reply that is the last one can be made again; one that failed asks for it.
function again(message, actions) {
  const name = message.suggestedActions?.some(({ type }) => type === "regenerate") ? "Try again" : "Regenerate";
  return el(
    "footer",
    { class: "again" },
    message.status === "interrupted" ? el("span", { class: "muted" }, "Interrupted.") : null,
    el("button", { type: "button", class: "quiet", on: { click: () => actions.regenerate(message) } }, name),
  );
}

export function article(message, actions, isLast = false) {
  const who = speaker(message);
  const shown = message.role === "assistant" ? assistantName : who;
  return el(
    "article",
    { id: message.id, class: `message ${message.role}`, "aria-label": who, tabindex: "-1" },
    el(
      "header",
      {},
      el("span", { class: "who" }, ...visible(shown)),
      time(message.timestamp, clock),
      isErasable(message)
        ? el("button", { type: "button", class: "quiet erase", on: { click: () => actions.erase(message) } }, "Erase")
        : null,
    ),
    body(message),
    isLast && isErasable(message) && message.role === "assistant" ? again(message, actions) : null,
  );
}

// A reply while it comes.
export function streaming(text) {
  return el(
    "article",
    { class: "message assistant", "aria-label": "Assistant", "aria-busy": "true" },
    el("header", {}, el("span", { class: "who" }, ...visible(assistantName))),
    el("div", { class: "body" }, ...markdown(text, new Map())),
  );
}

// A message on its way. Once it has `landed` in the conversation, only its answer is missing.
export function pending(message, landed, actions) {
  const note = message.problem ? unsent(message, landed, actions) : null;
  if (landed) return note ?? el("span", { hidden: true });
  return el(
    "article",
    { class: "message user pending", "aria-label": "You", "aria-busy": note ? null : "true" },
    el("header", {}, el("span", { class: "who" }, "You"), time(message.at, clock)),
    words("div", message.text, { class: "body said" }),
    note,
  );
}

function unsent(message, landed, actions) {
  const { detail, remedy } = message.problem;
  const button = (name, run) =>
    el("button", { type: "button", class: "link", on: { click: () => run(message) } }, name);
  return el(
    "footer",
    { class: "unsent" },
    el("strong", {}, landed ? "No answer yet — " : "Not sent — "),
    button("Try again", actions.retry),
    landed ? null : button("Edit", actions.edit),
    landed ? null : button("Discard", actions.discard),
    el("p", { class: "muted" }, ...visible(`${detail} ${remedy ?? ""}`)),
  );
}

export function thinking() {
  return el(
    "div",
    { class: "thinking" },
    el("span", { class: "who" }, ...visible(assistantName)),
    el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")),
  );
}

export function dayMark(iso) {
  return el("h2", { class: "day" }, el("span", {}, time(iso, dayName)));
}

export const dayOf = (iso) => dayName(new Date(iso));
