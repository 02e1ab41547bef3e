// Writing: the draft is kept, the message is shown at once, and a retry carries the same key.
import { post, Problem, stream } from "./api.js";
import { byId, toast } from "./dom.js";
import { current, fly, flying, path, streamed, toEnd } from "./conversation.js";
import { drafts, NEW, outbox } from "./store.js";

const form = byId("composer");
const box = byId("message");
let settled = () => {};
let begun = () => {};
let missed = false; // whether something was sent since the server last answered, and did not reach it
let opening = null; // over when the message that begins a conversation has got its id, or failed

// `whenSettled(message, reply)` is called with what the server answered, `whenBegun(id)` when a new
// conversation has got its id.
export function useComposer(whenSettled, whenBegun) {
  settled = whenSettled;
  begun = whenBegun;
  for (const message of outbox.unsure()) deliver(message);
  reconnected();
}

// The server answers again: what did not reach it is sent once more, in order, with the same keys.
export async function reconnected() {
  missed = false;
  for (const message of outbox.unreached()) await deliver(message, { again: true });
}

export const missedSome = () => missed;

export function turnComposer(place, readOnly) {
  form.hidden = false;
  box.disabled = readOnly;
  byId("composer-note").hidden = !readOnly;
  byId("composer-note").textContent = readOnly
    ? "This conversation goes on where it began, and is read-only here."
    : "";
  if (box.dataset.place !== place) {
    box.dataset.place = place;
    box.value = drafts.of(place);
  }
  fit();
}

export function hideComposer() {
  form.hidden = true;
  delete box.dataset.place;
}

export function write(text) {
  box.value = box.value.trim() ? `${text}\n${box.value}` : text;
  drafts.keep(box.dataset.place, box.value);
  fit();
  box.focus();
}

// The place a draft belonged to has got a name: what was typed meanwhile goes on there.
export function moveDraft(from, to) {
  drafts.keep(to, drafts.of(from));
  drafts.keep(from, "");
  if (box.dataset.place === from) box.dataset.place = to;
}

export const focusComposer = () => box.focus();

function fit() {
  box.rows = Math.min(10, Math.max(1, box.value.split("\n").length));
  byId("send").disabled = box.disabled || !box.value.trim();
}

function send() {
  const text = box.value;
  const { place } = current();
  if (!text.trim()) return;
  const message = { key: crypto.randomUUID(), place, text, at: new Date().toISOString() };
  outbox.add(message);
  box.value = "";
  drafts.keep(place, "");
  fit();
  deliver(message);
  toEnd();
}

export async function deliver({ key }, { again = false } = {}) {
  if (flying(key)) return;
  outbox.change(key, { problem: undefined });
  fly(key, true);
  while (isNew(key) && opening) await opening.over; // it may give this message's conversation its id
  const mine = isNew(key) ? open() : null;
  await attempt(key);
  if (mine) end(mine);
  fly(key, false);
  if (!again && outbox.find(key)?.problem?.code === "unreachable") missed = true;
}

const isNew = (key) => outbox.find(key).place === NEW;

function open() {
  opening = {};
  opening.over = new Promise((resolve) => Object.assign(opening, { resolve }));
  return opening;
}

function end(one) {
  one.resolve();
  if (opening === one) opening = null;
}

async function attempt(key) {
  const message = outbox.find(key);
  try {
    const conversationId = message.place === NEW ? {} : { conversationId: message.place };
    await settled(message, await answer({ message: message.text, key, ...conversationId }));
  } catch (problem) {
    const { message: detail, remedy, code } = problem;
    outbox.change(key, { problem: { detail, remedy, code } });
  }
}

// The answer; what there is of it is shown as it comes.
async function answer(body) {
  let finished = null;
  let place = body.conversationId;
  let text = "";
  const settle = (id) => {
    if (!place) adopt(id);
    place = id;
  };
  await stream("/api/chat", body, (name, data) => {
    if (name === "message_accepted") settle(data.message.conversationId);
    else if (name === "reply_started") text = "";
    else if (name === "reply_delta") streamed(place, (text += data.text));
    else if (name === "reply_finished") finished = data;
    else if (name === "error") throw new Problem({ ...data, detail: data.message, status: 500 });
  }).finally(() => streamed(place, ""));
  if (!finished) throw new Problem({ detail: "Palaver does not answer.", code: "unreachable" });
  const { conversationId, turn } = finished;
  settle(conversationId);
  return { conversationId, turnNumber: turn.turnNumber || null, reply: turn };
}

function adopt(id) {
  for (const { key } of outbox.of(NEW)) outbox.change(key, { place: id });
  moveDraft(NEW, id);
  if (opening) end(opening);
  begun(id);
}

byId("stop").addEventListener("click", () => {
  post(`${path(current().place)}/stop`).catch((problem) => toast(`${problem.message} ${problem.remedy}`));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
box.addEventListener("input", () => {
  drafts.keep(box.dataset.place, box.value);
  fit();
});
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  send();
});
