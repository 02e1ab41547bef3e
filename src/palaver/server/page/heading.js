// The head of a conversation: its name, and what can be done with it.
import { patch } from "./api.js";
import { byId, el, hideToast, toast, words } from "./dom.js";
import { path } from "./conversation.js";
import { nameOf } from "./list.js";
import { notes, refreshNotes } from "./notes.js";

const heading = byId("heading");
let shown = "";

const menu = () =>
  el("button", { type: "button", class: "quiet menu-button", "aria-label": "Menu", on: { click: () => document.body.classList.add("menu-open") } },
    el("span", { "aria-hidden": "true" }, "☰"));

export function plainHeading(text) {
  shown = "";
  document.title = `${text} · Palaver`;
  heading.replaceChildren(menu(), el("h1", {}, text));
}

// `actions`: changed(conversation), erase(conversation).
export function conversationHeading(conversation, actions) {
  refreshNotes(conversation);
  const { id, title, archived, topics } = conversation;
  const next = JSON.stringify([id, title, archived, topics]);
  if (next === shown || (heading.querySelector("input") && heading.dataset.id === conversation.id)) return;
  shown = next;
  heading.dataset.id = conversation.id;
  document.title = `${nameOf(conversation)} · Palaver`;
  const button = (name, run) =>
    el("button", { type: "button", class: "quiet", on: { click: run } }, name);
  const [opener, panel] = notes(conversation);
  heading.replaceChildren(
    menu(),
    el("div", { class: "naming" }, words("h1", nameOf(conversation)), about(topics)),
    el(
      "div",
      { class: "actions" },
      opener,
      button("Rename", () => rename(conversation, actions)),
      button(conversation.archived ? "Unarchive" : "Archive", () => archive(conversation, actions)),
      button("Delete", () => actions.erase(conversation)),
    ),
    panel,
  );
}

const about = (topics) =>
  topics.length ? words("p", topics.join(" · "), { class: "topics", "aria-label": "Topics" }) : null;

function rename(conversation, actions) {
  const input = el("input", {
    type: "text", class: "title", "aria-label": "Title", maxlength: "255", dir: "auto",
    value: conversation.title ?? "", placeholder: nameOf(conversation), autocomplete: "off",
  });
  let done = false;
  const finish = async (save) => {
    if (done) return;
    done = true;
    const title = input.value.trim();
    const isNew = save && title && title !== conversation.title;
    const changed = isNew ? await change(conversation, { title }) : conversation;
    shown = "";
    heading.replaceChildren();
    conversationHeading(changed ?? conversation, actions);
    if (changed) actions.changed(changed);
    else keepTyping(conversation, actions, title);
  };
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  input.addEventListener("blur", () => finish(true));
  heading.querySelector("h1").replaceWith(input);
  input.select();
  input.focus();
}

// A name that could not be saved is not lost.
function keepTyping(conversation, actions, title) {
  rename(conversation, actions);
  heading.querySelector("input").value = title;
}

async function archive(conversation, actions) {
  const archived = !conversation.archived;
  const changed = await change(conversation, { archived });
  if (!changed) return;
  actions.changed(changed);
  hideToast();
  if (archived) toast("Archived. It stays searchable.", { name: "Undo", run: () => archive(changed, actions) });
}

async function change(conversation, fields) {
  try {
    return await patch(path(conversation.id), fields);
  } catch (problem) {
    toast(`${problem.message} ${problem.remedy}`);
    return null;
  }
}
