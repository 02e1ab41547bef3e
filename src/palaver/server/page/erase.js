// Erasing: first what would go, then a button that says what it does, then the receipt.
import { remove } from "./api.js";
import { path } from "./conversation.js";
import { button, fill, openDialog } from "./dialog.js";
import { el, words } from "./dom.js";
import { count, firstWords } from "./text.js";

// What can be erased: {title, name, address}. `name` is what a person knows it by.
export const conversationToErase = (conversation, begins) => ({
  title: "Erase this conversation?",
  name: conversation.title || (begins ? `New conversation: “${firstWords(begins)}”` : "New conversation"),
  address: path(conversation.id),
});
export const messageToErase = ({ id, conversationId, content }) => ({
  title: "Erase this message?",
  name: `“${firstWords(content)}”`,
  address: `${path(conversationId)}/messages/${id}`,
});

// `done` is called with the receipt.
export async function askToErase({ title, name, address }, done) {
  const dialog = openDialog();
  const what = words("p", name, { class: "subject" });
  fill(dialog, title, [what, el("p", { class: "muted" }, "Looking what would go…")], [cancel(dialog)]);
  try {
    const preview = await remove(`${address}?preview=true`);
    fill(dialog, title, [what, ...lines(preview)], [cancel(dialog), confirm(preview)]);
  } catch (problem) {
    fill(dialog, title, complaint(problem), [cancel(dialog)]);
  }

  function confirm(preview) {
    return button("danger", `Erase ${count(preview.messages, "message")}`, erase);
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

function lines(receipt) {
  const intro = receipt.preview ? "This goes for good, and cannot be undone:" : "This is gone for good:";
  return [
    el("p", {}, intro),
    el("ul", {}, ...receipt.erased.map((line) => el("li", {}, line))),
    ...receipt.remains.map((line) => el("p", { class: "muted" }, line)),
  ];
}

const complaint = (problem) => [el("p", {}, problem.message), el("p", { class: "muted" }, problem.remedy)];
const close = (dialog) => button("primary", "Close", () => dialog.close());
const cancel = (dialog) => button("plain", "Keep it", () => dialog.close());
