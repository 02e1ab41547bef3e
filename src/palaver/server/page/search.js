// Search: results as they are typed for, each one a way to the place it was said.
import { get } from "./api.js";
import { byId, el, words } from "./dom.js";
import { count, marked } from "./text.js";
import { time, when } from "./times.js";

let asked = 0;

// Shows the results for `query`; what is there stays until the new is ready.
export async function showResults(query) {
  const mine = (asked += 1);
  const nodes = query.trim() ? await results(query) : [hint()];
  if (mine !== asked) return;
  byId("view").className = "column results";
  byId("view").replaceChildren(...nodes);
}

export function forgetSearch() {
  asked += 1;
}

async function results(query) {
  try {
    const page = await get(`/api/search?limit=20&q=${encodeURIComponent(query)}`);
    return page.results.length ? found(page, query) : [nothing(query)];
  } catch (problem) {
    return [
      el("div", { class: "empty" }, el("h2", {}, problem.message), el("p", { class: "muted" }, problem.remedy ?? "")),
    ];
  }
}

function found({ results, totalMatches, nextCursor }, query) {
  const list = el("ol", { class: "hits" }, ...results.map(hit));
  const nodes = [el("p", { class: "muted count", role: "status" }, count(totalMatches, "message matches", "messages match"))];
  nodes.push(list);
  if (nextCursor) nodes.push(more(list, query, nextCursor));
  return nodes;
}

function more(list, query, from) {
  const button = el("button", { type: "button", class: "quiet", on: { click: load } }, "More results");
  let cursor = from;
  async function load() {
    const address = `/api/search?limit=20&q=${encodeURIComponent(query)}&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(address);
    list.append(...page.results.map(hit));
    cursor = page.nextCursor;
    button.hidden = !cursor;
  }
  return el("p", { class: "more" }, button);
}

function hit(result) {
  const target = result.messageIds[0];
  const href = `/c/${result.conversationId}${target ? `#${target}` : ""}`;
  const place = [result.channel === "web" ? null : result.channel, result.turnRange].filter(Boolean);
  return el(
    "li",
    {},
    el(
      "a",
      { href, class: "hit" },
      words("span", result.title || "New conversation", { class: "name" }),
      el("span", { class: "snippet", dir: "auto" }, ...marked(result.snippet, result.highlights)),
      el("span", { class: "side" }, time(result.timestamp, when), ` · ${place.join(" · ")}`),
    ),
  );
}

// The arrow keys walk from the search box through the hits and back.
export function walkHits(event, box) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const hits = [...byId("view").querySelectorAll(".hit")];
  const here = document.activeElement === box ? -1 : hits.indexOf(document.activeElement);
  const isOutside = here === -1 && document.activeElement !== box;
  if (!step || isOutside || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = here + step;
  if (next < -1 || next >= hits.length) return;
  event.preventDefault();
  (next === -1 ? box : hits[next]).focus();
}

function hint() {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, "What was said, found again"),
    el("p", { class: "muted" }, "Type a few words that were used."),
  );
}

function nothing(query) {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, "Nothing was said with these words"),
    el("p", { class: "muted" }, "No message holds ", words("bdi", `“${query}”`), ". Try fewer or other words."),
  );
}
