// Erasing: first what would go, then a button that says what it does, then the receipt.
import { remove } from "./api.js";
import { path } from "./conversation.js";
import { el } from "./dom.js";
import { count } from "./text.js";

// What can be erased: {title, address, done}. `done` is called with the receipt.
export const conversationToErase = ({ id }) => ({ title: "Erase this conversation?", address: path(id) });
export const messageToErase = ({ id, conversationId }) => ({
  title: "Erase this message?",
  address: `${path(conversationId)}/messages/${id}`,
});

export async function askToErase({ title, address }, done) {
  const dialog = el("dialog", { class: "dialog", "aria-labelledby": "dialog-title", on: { close: () => dialog.remove() } });
  document.body.append(dialog);
  fill(dialog, title, [el("p", { class: "muted" }, "Looking what would go…")], [cancel(dialog)]);
  dialog.showModal();
  try {
    const preview = await remove(`${address}?preview=true`);
    fill(dialog, title, lines(preview), [cancel(dialog), confirm(preview)]);
  } catch (problem) {
    fill(dialog, title, complaint(problem), [cancel(dialog)]);
  }

  function confirm(preview) {
    const name = `Erase ${count(preview.messages, "message")}`;
    return el("button", { type: "button", class: "danger", on: { click: erase } }, name);
  }

  async function erase(event) {
    event.currentTarget.disabled = true;
    try {
      const receipt = await remove(address);
      fill(dialog, "Erased", lines(receipt), [close(dialog)]);
      done(receipt);
    } catch (problem) {
      fill(dialog, "Not erased", complaint(problem), [close(dialog)]);
    }
  }
}

function fill(dialog, title, body, buttons) {
  dialog.replaceChildren(
    el("h2", { id: "dialog-title" }, title),
    ...body,
    el("div", { class: "buttons" }, ...buttons),
  );
  buttons[0].focus();
}

function lines(receipt) {
  const intro = receipt.preview ? "This goes for good, and cannot be undone:" : "This is gone for good:";
  return [
    el("p", {}, intro),
    el("ul", {}, ...receipt.erased.map((line) => el("li", {}, line))),
  ];
}

const complaint = (problem) => [el("p", {}, problem.message), el("p", { class: "muted" }, problem.remedy)];
const close = (dialog) =>
  el("button", { type: "button", class: "primary", on: { click: () => dialog.close() } }, "Close");
const cancel = (dialog) =>
  el("button", { type: "button", class: "plain", on: { click: () => dialog.close() } }, "Keep it");
