// What is added to sanitised nodes: by the DOM alone, never as HTML.
import { codeBlock } from "./code";
import { hides, isBlank, type Target, target } from "./links";

export function dress(fragment: DocumentFragment): DocumentFragment {
  for (const link of fragment.querySelectorAll("a")) {
    // If the sanitiser ever let a drawing through, its links would be of another kind.
    if (link instanceof HTMLAnchorElement) dressLink(link);
  }
  for (const code of fragment.querySelectorAll("pre")) {
    const language = code.dataset.language ?? "";
    code.replaceWith(codeBlock(language, code.textContent.replace(/\n$/, "")).element);
  }
  for (const table of fragment.querySelectorAll("table")) wrapTable(table);
  for (const box of fragment.querySelectorAll<HTMLElement>("[data-task]")) dressTask(box);
  return fragment;
}

function dressLink(link: HTMLAnchorElement): void {
  const to = target(link.getAttribute("href") ?? "", location.origin);
  const isImage = link.hasAttribute("data-image");
  const text = link.textContent;
  if (isImage) link.textContent = imageLabel(text, to);
  else if (isBlank(text)) link.textContent = placeOf(to); // else nobody sees that there is a link
  if (to.kind === "nowhere") {
    link.replaceWith(spanOf(isImage ? "md-image" : "md-no-link", ...link.childNodes));
  } else if (to.kind === "inside") {
    link.setAttribute("href", to.path);
    link.dataset.inside = "";
  } else {
    link.className = isImage ? "md-image" : "md-link";
    link.setAttribute("href", to.address);
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    link.setAttribute("referrerpolicy", "no-referrer");
    if (!isImage && hides(link.textContent, to.address, to.host)) {
      link.append(spanOf("md-host", ` (${to.host})`));
    }
  }
}

/** Where a link leads that has no words of its own. */
function placeOf(to: Target): string {
  if (to.kind === "outside") return to.host;
  if (to.kind === "nowhere") return "";
  return to.path.startsWith("/c/") ? "a conversation" : "an exchange";
}

function imageLabel(alt: string, to: Target): string {
  const name = alt === "" ? "Image" : `Image: ${alt}`;
  return `${name} — ${placeOf(to) || "it has no address on the web"}`;
}

function wrapTable(table: HTMLTableElement): void {
  const scroller = document.createElement("div");
  scroller.className = "md-table";
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "region");
  scroller.setAttribute("aria-label", "Table");
  table.replaceWith(scroller);
  scroller.append(table);
}

function dressTask(box: HTMLElement): void {
  box.className = "md-task";
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", box.dataset.task === "done" ? "Done" : "Not done");
  box.closest("li")?.classList.add("md-task-item");
}

function spanOf(className: string, ...children: (Node | string)[]): HTMLSpanElement {
  const span = document.createElement("span");
  span.className = className;
  span.append(...children);
  return span;
}
