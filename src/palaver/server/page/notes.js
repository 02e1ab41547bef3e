// The notes of a conversation: what it is about, point by point, each a way to where it was said.
import { get } from "./api.js";
import { path } from "./conversation.js";
import { el, toast, words } from "./dom.js";

const EMPTY = "Notes appear when the conversation has been quiet for a while.";
let drawn = { id: null };

// The button and what it opens: the same ones, as long as the conversation is the same.
export function notes(conversation) {
  if (drawn.id !== conversation.id) drawn = make(conversation);
  return [drawn.button, drawn.panel];
}

const stateOf = ({ abbreviation, needsAbbreviation }) => JSON.stringify([abbreviation, needsAbbreviation]);

function make(conversation) {
  const click = () => turn(drawn.panel.hidden);
  const button = el(
    "button",
    { type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": "notes", on: { click } },
    "Notes",
  );
  const jump = (event) => event.target.closest("a") && closeNotes();
  const panel = el("section", { id: "notes", class: "notes", "aria-label": "Notes", hidden: true, on: { click: jump } });
  return { id: conversation.id, button, panel, seen: stateOf(conversation) };
}

function turn(isOpen) {
  drawn.panel.hidden = !isOpen;
  drawn.button.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) fetchNotes(drawn);
}

// Whether there was something to close.
export function closeNotes() {
  if (!drawn.panel?.isConnected || drawn.panel.hidden) return false;
  turn(false);
  return true;
}

// Open notes change with the conversation.
export function refreshNotes(conversation) {
  if (drawn.id !== conversation.id || drawn.seen === stateOf(conversation)) return;
  drawn.seen = stateOf(conversation);
  if (!drawn.panel.hidden) fetchNotes(drawn);
}

async function fetchNotes(mine) {
  try {
    const digest = await get(`${path(mine.id)}/digest`);
    mine.panel.replaceChildren(...shown(mine.id, digest));
  } catch (problem) {
    toast(`${problem.message} ${problem.remedy}`);
  }
}

function shown(id, { abbreviation, needsAbbreviation }) {
  if (!abbreviation) return [el("p", { class: "muted" }, EMPTY)];
  const points = abbreviation.points.map((point) => el("li", {}, told(id, point)));
  const more = el("p", { class: "muted" }, `Up to turn ${abbreviation.through}.`);
  return [el("ul", {}, ...points), ...(needsAbbreviation ? [more] : [])];
}

function told(id, { text, sources }) {
  if (!sources.length) return words("span", text);
  const [{ messageId, quote, turn }] = sources;
  const title = quote ? `Turn ${turn}: “${quote}”` : `Turn ${turn}`;
  return words("a", text, { href: `/c/${id}#${messageId}`, title });
}
