// Writing: the draft is kept, the message is shown at once, and a retry carries the same key.
import { post, Problem, stream } from "./api.js";
import { byId, toast } from "./dom.js";
import { current, fly, flying, path, streamed, toEnd } from "./conversation.js";
import { drafts, NEW, outbox } from "./store.js";

const form = byId("composer");
const box = byId("message");
let settled = () => {};
let missed = false; // whether something was sent since the server last answered, and did not reach it
let opening = null; // the message that is about to make a conversation come into being

// `whenSettled(message, reply)` is called with what the server answered.
export function useComposer(whenSettled) {
  settled = whenSettled;
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
  const before = opening;
  const work = attempt(key, before);
  if (outbox.find(key).place === NEW) opening = work;
  await work;
  if (opening === work) opening = null;
  if (!again && outbox.find(key)?.problem?.code === "unreachable") missed = true;
}

async function attempt(key, before) {
  fly(key, true);
  if (before) await before; // it may have given this message's conversation its id
  const message = outbox.find(key);
  try {
    const conversationId = message.place === NEW ? {} : { conversationId: message.place };
    await settled(message, await answer({ message: message.text, key, ...conversationId }));
  } catch (problem) {
    const { message: detail, remedy, code } = problem;
    outbox.change(key, { problem: { detail, remedy, code } });
  }
  fly(key, false);
}

// The answer; what there is of it is shown as it comes.
async function answer(body) {
  let finished = null;
  let text = "";
  await stream("/api/chat", body, (name, data) => {
    if (name === "message_accepted") adopt(data.message.conversationId);
    else if (name === "reply_started") text = "";
    else if (name === "reply_delta") text += data.text;
    else if (name === "reply_finished") finished = data;
    else if (name === "error") throw new Problem({ ...data, detail: data.message, status: 500 });
    if (name === "reply_delta") streamed(data.conversationId, text);
  }).finally(() => streamed(null, ""));
  if (!finished) throw new Problem({ detail: "Palaver does not answer.", code: "unreachable" });
  const { conversationId, turn } = finished;
  if (!body.conversationId) adopt(conversationId);
  return { conversationId, turnNumber: turn.turnNumber || null, reply: turn };
}

function adopt(id) {
  for (const { key } of outbox.of(NEW)) outbox.change(key, { place: id });
  moveDraft(NEW, id);
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
