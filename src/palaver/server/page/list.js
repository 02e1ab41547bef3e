// The list of conversations: newest first, longer on demand.
import { get } from "./api.js";
import { arrange, byId, el, words } from "./dom.js";
import { ago, time } from "./times.js";

const PAGE = 50;
const nav = byId("conversations");
let known = [];
let cursor = null;
let archived = false;
let chosen = null;
let drawn = new Map();

export const newest = () => known[0] ?? null;
export const nameOf = (conversation) => conversation?.title || "New conversation";
export const showsArchived = () => archived;

export function showArchived(wanted) {
  archived = wanted;
  known = [];
  cursor = null;
}

export function choose(id) {
  chosen = id;
  draw();
}

const address = (from) =>
  `/api/conversations?limit=${PAGE}&archived=${archived}${from ? `&cursor=${encodeURIComponent(from)}` : ""}`;

// Looks at the first page again; what was loaded beyond it stays.
export async function refresh() {
  const asked = archived;
  const { conversations, nextCursor } = await get(address());
  if (asked !== archived) return;
  const fresh = new Set(conversations.map(({ id }) => id));
  const end = conversations.at(-1)?.updated ?? "";
  const older = nextCursor ? known.filter(({ id, updated }) => !fresh.has(id) && updated <= end) : [];
  if (!older.length) cursor = nextCursor;
  known = [...conversations, ...older];
  draw();
}

async function longer() {
  const { conversations, nextCursor } = await get(address(cursor));
  const there = new Set(known.map(({ id }) => id));
  known = [...known, ...conversations.filter(({ id }) => !there.has(id))];
  cursor = nextCursor;
  draw();
}

export function draw() {
  const nodes = known.map((conversation) => entry(conversation));
  if (cursor) nodes.push(once("more", () => button("More conversations", longer)));
  if (!known.length) nodes.push(once(`none ${archived}`, none));
  const kept = new Set(nodes);
  for (const [key, node] of drawn) if (!kept.has(node)) drawn.delete(key);
  arrange(nav, nodes);
}

function none() {
  const text = archived ? "Nothing is archived." : "Your conversations will appear here.";
  return el("p", { class: "muted none" }, text);
}

function entry(conversation) {
  const { id, updated, channel } = conversation;
  const isChosen = id === chosen;
  const key = JSON.stringify([id, conversation.title, ago(new Date(updated)), isChosen]);
  return once(key, () =>
    el(
      "a",
      { href: `/c/${id}`, class: "entry", "aria-current": isChosen ? "page" : null },
      words("span", nameOf(conversation), { class: "name" }),
      el("span", { class: "side" }, channel === "web" ? null : `${channel} · `, time(updated, ago)),
    ),
  );
}

function button(name, run) {
  return el("button", { type: "button", class: "quiet wide", on: { click: run } }, name);
}

function once(key, make) {
  if (!drawn.has(key)) drawn.set(key, make());
  return drawn.get(key);
}
