// One conversation: its messages, those on their way, and where the reader stands in it.
import { get } from "./api.js";
import { announce, arrange, byId, el, toast } from "./dom.js";
import { article, dayMark, dayOf, pending, streaming, thinking } from "./messages.js";
import { NEW, outbox } from "./store.js";

const PAGE = 50;
const NEAR_END = 120;
export const empty = (place) => ({
  place, meta: null, messages: [], asides: [], hasEarlier: false, hasLater: false, loading: false,
});

const scroller = byId("scroller");
let state = empty(NEW);
let isShown = false;
let drawn = new Map();
let actions = {};
const inFlight = new Set();
const remaking = new Set(); // conversations in which a reply is being made again
const partial = new Map(); // what there is of the reply that is being made in a conversation

export const current = () => state;
export const path = (id) => `/api/conversations/${encodeURIComponent(id)}`;
export function useActions(given) {
  actions = given;
}

// Loads before it shows, so that switching never passes through emptiness.
export async function load(place, target) {
  const next = empty(place);
  if (place !== NEW) {
    const found = await get(path(place));
    Object.assign(next, { meta: found.conversation, messages: found.messages, hasEarlier: found.hasMore });
    if (target && !found.messages.some(({ id }) => id === target)) await turnTo(next, target);
  }
  return next;
}

async function turnTo(next, target) {
  try {
    const { messages } = await get(`${path(next.place)}/messages?around=${target}&limit=${PAGE}`);
    if (messages.length) Object.assign(next, { messages, hasEarlier: true, hasLater: true });
  } catch (problem) {
    if (problem.status !== 404 && problem.status !== 400) throw problem; // that message is gone
  }
}

export function show(next) {
  isShown = true;
  state = next;
  drawn = new Map();
  byId("view").className = "column";
  draw();
  toEnd();
}

// Something else is shown now: what is still on its way must not draw over it.
export function leave() {
  isShown = false;
  state = empty(null);
}

// Takes what the end of the conversation looks like now.
export function take({ conversation, messages, hasMore }) {
  if (conversation.id !== state.place) return;
  state.meta = conversation;
  if (state.hasLater) return; // the reader is somewhere else in it
  const before = new Set(state.messages.map(({ id }) => id));
  const first = messages[0]?.id;
  const cut = state.messages.findIndex(({ id }) => id === first);
  const earlier = cut > 0 ? state.messages.slice(0, cut) : [];
  const hasEarlier = earlier.length ? state.hasEarlier : hasMore;
  const asides = state.asides.filter((aside) => !messages.some((message) => isSame(message, aside)));
  Object.assign(state, { messages: [...earlier, ...messages], hasEarlier, asides });
  draw();
  for (const message of messages) if (!before.has(message.id)) hear(message);
}

const isSame = (message, aside) => message.id === aside.id || (aside.key && isKeyOf(message, aside.key));

// A message may carry the key it was sent with as it was, or with where it came from before it.
const isKeyOf = (message, key) => message.key === key || message.key === `api:${key}`;

// Shows what is known to be said although it cannot be looked up, or never will be.
export function putAside(place, messages) {
  if (place !== state.place) return;
  state.asides.push(...messages);
  draw();
}

function hear(message) {
  if (message.role === "assistant") announce(`Assistant: ${message.content}`);
}

export function draw() {
  if (!isShown) return;
  const nodes = [];
  if (state.hasEarlier) nodes.push(once("earlier", () => more("Earlier messages", loadEarlier)));
  let day;
  for (const message of state.messages) {
    if (dayOf(message.timestamp) !== day) {
      day = dayOf(message.timestamp);
      nodes.push(once(`day ${day} ${message.id}`, () => dayMark(message.timestamp)));
    }
    const isLast = message === state.messages.at(-1) && !state.hasLater;
    nodes.push(once(`${message.id} ${isLast} ${JSON.stringify(message)}`, () => article(message, actions, isLast)));
  }
  if (state.hasLater) nodes.push(once("later", () => more("Later messages", loadLater)));
  else nodes.push(...onTheirWay());
  if (!nodes.length && state.place === NEW) nodes.push(once("empty", welcome));
  const stay = atEnd();
  forgetUndrawn(nodes);
  arrange(byId("view"), nodes);
  if (stay) toEnd();
}

function onTheirWay() {
  const nodes = [];
  for (const message of outbox.of(state.place)) {
    const landed = state.messages.find((other) => isKeyOf(other, message.key));
    if (landed && answered(landed)) outbox.drop([message.key]);
    else nodes.push(once(`${message.key} ${JSON.stringify([message.problem, Boolean(landed)])}`, () => pending(message, Boolean(landed), actions)));
  }
  for (const aside of state.asides) nodes.push(once(aside.id, () => article(aside, actions)));
  const isMade = remaking.has(state.place) || [...inFlight].some((key) => outbox.find(key)?.place === state.place);
  byId("stop").hidden = !isMade || state.place === NEW;
  if (isMade) nodes.push(partial.has(state.place) ? streaming(partial.get(state.place)) : once("thinking", thinking));
  return nodes;
}

const answered = ({ turnNumber }) =>
  state.messages.some((other) => other.role === "assistant" && other.turnNumber === turnNumber);

function once(key, make) {
  if (!drawn.has(key)) drawn.set(key, make());
  return drawn.get(key);
}

function forgetUndrawn(nodes) {
  const kept = new Set(nodes);
  for (const [key, node] of drawn) if (!kept.has(node)) drawn.delete(key);
}

function more(name, run) {
  const click = () => run().catch((problem) => toast(`${problem.message} ${problem.remedy}`));
  return el("p", { class: "more" }, el("button", { type: "button", class: "quiet", on: { click } }, name));
}

function welcome() {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, "What is on your mind?"),
    el("p", { class: "muted" }, "Everything you write is kept on this computer, and can be found again."),
  );
}

export async function loadEarlier() {
  const [first] = state.messages;
  if (!first || !state.hasEarlier || state.loading) return;
  await grow(`before=${first.id}`, ({ messages, hasMore }) => {
    const height = scroller.scrollHeight - scroller.scrollTop;
    Object.assign(state, { messages: [...messages, ...state.messages], hasEarlier: hasMore });
    draw();
    scroller.scrollTop = scroller.scrollHeight - height;
  });
}

async function loadLater() {
  const last = state.messages.at(-1);
  if (!last || !state.hasLater || state.loading) return;
  await grow(`after=${last.id}`, ({ messages, hasMore }) => {
    Object.assign(state, { messages: [...state.messages, ...messages], hasLater: hasMore });
    draw();
  });
}

async function grow(position, use) {
  const asked = state;
  asked.loading = true;
  try {
    const page = await get(`${path(asked.place)}/messages?${position}&limit=${PAGE}`);
    if (asked === state) use(page);
  } finally {
    asked.loading = false;
  }
}

// While a message is flying, its answer is awaited.
export function fly(key, isFlying) {
  if (isFlying) inFlight.add(key);
  else inFlight.delete(key);
  draw();
}

// What there is of a reply.
export function streamed(place, text) {
  if (text) partial.set(place, text);
  else partial.delete(place);
  draw();
}

export function remake(place, isRemade) {
  if (isRemade) remaking.add(place);
  else remaking.delete(place);
  draw();
}

export const flying = (key) => inFlight.has(key);

export const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
export function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

// Goes to a message and lights it up for a moment.
export function light(id) {
  const found = document.getElementById(id);
  if (!found) return false;
  found.scrollIntoView({ block: "center" });
  found.focus({ preventScroll: true });
  found.classList.remove("lit");
  requestAnimationFrame(() => found.classList.add("lit"));
  return true;
}

// Where the reader stands: the first message in sight, and how far it is from the top.
export function standing() {
  const top = scroller.getBoundingClientRect().top;
  for (const found of scroller.querySelectorAll("article[id]")) {
    const { top: edge, bottom } = found.getBoundingClientRect();
    if (bottom > top) return { id: found.id, offset: edge - top };
  }
  return null;
}

export function stand({ id, offset }) {
  const found = document.getElementById(id);
  if (!found) return;
  const top = scroller.getBoundingClientRect().top;
  scroller.scrollTop += found.getBoundingClientRect().top - top - offset;
}

// How the conversation begins, if that has been loaded.
export const beginning = () =>
  state.hasEarlier ? "" : (state.messages.find(({ role, content }) => role === "user" && content)?.content ?? "");

// A reader at the end stays there when the room for reading changes.
let wasAtEnd = true;
new ResizeObserver(() => {
  if (isShown && wasAtEnd) toEnd();
}).observe(scroller);

scroller.addEventListener("scroll", () => {
  wasAtEnd = atEnd();
  if (scroller.scrollTop < 200) loadEarlier().catch(() => {}); // the button stays for another try
}, { passive: true });
