// Search: results as they are typed for, each one a way to the place it was said.
import { get } from "./api.js";
import { byId, el, words } from "./dom.js";
import { onlyWords } from "./health.js";
import { count, marked } from "./text.js";
import { spokenWindow, time, when } from "./times.js";

const IGNORE = "ignoreTimePhrases";
let asked = 0;

// Shows the results for an address such as /search?q=…; what is there stays until the new is ready.
export async function showResults(url) {
  const mine = (asked += 1);
  const wanted = { q: url.searchParams.get("q") ?? "" };
  if (url.searchParams.has(IGNORE)) wanted[IGNORE] = "true";
  const nodes = wanted.q.trim() ? await results(wanted) : [hint()];
  if (mine !== asked) return;
  byId("view").className = "column results";
  byId("view").replaceChildren(...nodes);
}

export function forgetSearch() {
  asked += 1;
}

const ask = (wanted) => get(`/api/search?${new URLSearchParams({ limit: 20, ...wanted })}`);

async function results(wanted) {
  try {
    const page = await ask(wanted);
    const notes = [timeNote(page, wanted), wordsNote()].filter(Boolean);
    return [...notes, ...(page.results.length ? found(page, wanted) : [nothing(wanted.q)])];
  } catch (problem) {
    return [
      el("div", { class: "empty" }, el("h2", {}, problem.message), el("p", { class: "muted" }, problem.remedy ?? "")),
    ];
  }
}

function found({ results, totalMatches, timeWindow, nextCursor }, wanted) {
  const list = el("ol", { class: "hits" }, ...results.map(hit));
  const nodes = [el("p", { class: "muted note", role: "status" }, summary(totalMatches, timeWindow)), list];
  if (nextCursor) nodes.push(more(list, wanted, nextCursor));
  return nodes;
}

function summary(matches, timeWindow) {
  if (matches) return `${count(matches, "message holds", "messages hold")} some of these words.`;
  return timeWindow ? "" : "No message holds these words. This comes near:"; // a time may be all that is asked for
}

// Which time the words of the query name, and a way to search all time; or the way back.
function timeNote({ timeWindow, emptyWindow }, { q, [IGNORE]: isIgnored }) {
  const address = (more) => `/search?${new URLSearchParams({ q, ...more })}`;
  if (timeWindow) {
    return el("p", { class: "note" }, `Said ${spokenWindow(timeWindow)}. `,
      el("a", { href: address({ [IGNORE]: "true" }) }, "Search all time"));
  }
  if (emptyWindow) {
    return el("p", { class: "note" }, `Nothing was found ${spokenWindow(emptyWindow)}. All time was searched.`);
  }
  if (!isIgnored) return null;
  return el("p", { class: "note" }, "All time is searched. ", el("a", { href: address({}) }, "Go by the time that is named"));
}

function wordsNote() {
  const text = onlyWords();
  return text ? el("p", { class: "muted note" }, text) : null;
}

function more(list, wanted, from) {
  const button = el("button", { type: "button", class: "quiet", on: { click: load } }, "More results");
  let cursor = from;
  async function load() {
    const page = await ask({ ...wanted, cursor });
    list.append(...page.results.map(hit));
    cursor = page.nextCursor;
    button.hidden = !cursor;
  }
  return el("p", { class: "more" }, button);
}

function hit(result) {
  const target = result.messageIds[0];
  const href = `/c/${result.conversationId}${target ? `#${target}` : ""}`;
  const where = ["", result.channel, result.turnRange || "what it is about"].join(" · ");
  return el(
    "li",
    {},
    el(
      "a",
      { href, class: "hit" },
      words("span", result.title || "New conversation", { class: "name" }),
      el("span", { class: "snippet", dir: "auto" }, ...marked(result.snippet, result.highlights)),
      el("span", { class: "side" }, time(result.timestamp, when), where),
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
    el("p", { class: "muted" }, "Type a few words, or what it was about. A time helps: “the invoice last March”."),
  );
}

function nothing(query) {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, "Nothing was found"),
    el("p", { class: "muted" }, "Nothing that was said comes near ", words("bdi", `“${query}”`), ". Try other words."),
  );
}
