// A question in the middle of the page: a title, what there is to know, and what can be done.
import { el } from "./dom.js";

export function openDialog() {
  const dialog = el("dialog", { class: "dialog", "aria-labelledby": "dialog-title", on: { close: () => dialog.remove() } });
  document.body.append(dialog);
  return dialog;
}

export function fill(dialog, title, body, buttons) {
  dialog.replaceChildren(
    el("h2", { id: "dialog-title" }, title),
    ...body,
    el("div", { class: "buttons" }, ...buttons),
  );
  if (!dialog.open) dialog.showModal();
  buttons[0].focus();
}

export const button = (kind, name, run) =>
  el("button", { type: "button", class: kind, on: { click: run } }, name);
