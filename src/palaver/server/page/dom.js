// Elements made by hand: text is always text, never markup.
import { visible } from "./text.js";

export const byId = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Somebody's words: isolated from what stands around them, invisible characters shown.
export function words(tag, text, attributes = {}) {
  return el(tag, { dir: "auto", ...attributes }, ...visible(text));
}

// Makes the children of `parent` be `nodes`, touching only what differs.
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
}

let hiding;
export function toast(text, action) {
  const click = () => {
    hideToast();
    action.run();
  };
  const button = action && el("button", { type: "button", class: "link", on: { click } }, action.name);
  byId("toast").replaceChildren(el("span", {}, text), ...(button ? [button] : []));
  clearTimeout(hiding);
  hiding = setTimeout(hideToast, 8000);
}

export function hideToast() {
  byId("toast").replaceChildren();
}

export function announce(text) {
  byId("announcer").textContent = text;
}
