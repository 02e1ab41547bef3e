// The page: which address shows what, and a look every second at what others have changed.
import { get, post } from "./api.js";
import * as composer from "./composer.js";
import * as conversation from "./conversation.js";
import { button, fill, openDialog } from "./dialog.js";
import { byId, el, toast } from "./dom.js";
import { askToErase, conversationToErase, messageToErase } from "./erase.js";
import { conversationHeading, plainHeading } from "./heading.js";
import { checkHealth, say, sayProblem } from "./health.js";
import * as list from "./list.js";
import { useAssistantName } from "./messages.js";
import { closeNotes } from "./notes.js";
import { forgetSearch, showResults, walkHits } from "./search.js";
import { forget, NEW, outbox } from "./store.js";
import { useZone } from "./times.js";
import { watch } from "./watching.js";

const EVERY = 1000;
const HEALTH_EVERY = 5;
const NEW_ADDRESS = "/?new";
const search = byId("search");
let routing = 0;
let isReturning = false;

// --- where we are ---

function placeOf(url) {
  const found = /^\/c\/([^/]+)$/.exec(url.pathname);
  if (found) return found[1];
  if (url.search === "?new" || outbox.of(NEW).length) return NEW;
  return list.newest()?.id ?? NEW;
}

export function go(href) {
  const url = new URL(href, location.href);
  const here = { standing: conversation.standing(), scroll: byId("scroller").scrollTop };
  history.replaceState({ ...history.state, ...here }, "");
  history.pushState({ inside: true }, "", url);
  return route();
}

async function route() {
  const mine = (routing += 1);
  const url = new URL(location.href);
  const standing = history.state?.standing;
  document.body.classList.remove("menu-open");
  if (url.pathname === "/search") return showSearch(url);
  forgetSearch();
  const place = placeOf(url);
  const target = url.hash.slice(1);
  try {
    const next = await conversation.load(place, standing?.id ?? target);
    if (mine !== routing) return;
    showConversation(next);
    if (standing) conversation.stand(standing);
    else if (target) conversation.light(target);
  } catch (problem) {
    if (mine === routing) showMissing(place, problem);
  }
}

function showConversation(next) {
  composer.turnComposer(next.place, next.meta?.readOnly ?? false);
  conversation.show(next);
  list.choose(next.place);
  watch(next.meta ? next.place : null);
  drawHeading();
  const wantsFocus = isReturning || !history.state?.standing;
  if (matchMedia("(hover: hover)").matches && wantsFocus) composer.focusComposer();
  isReturning = false;
}

function drawHeading() {
  const { meta } = conversation.current();
  if (meta) conversationHeading(meta, { changed, erase: eraseConversation });
  else plainHeading(conversation.current().place === NEW ? "New conversation" : "Conversation");
}

function showMissing(place, problem) {
  if (problem.status !== 404 && problem.status !== 400) {
    sayProblem(problem);
    return showConversation(conversation.empty(place)); // one can still write
  }
  leave();
  plainHeading("Not here");
  byId("view").replaceChildren(
    el("div", { class: "empty" },
      el("h2", {}, "This conversation is not here"),
      el("p", { class: "muted" }, "It may have been erased."),
      el("p", {}, el("a", { class: "button primary", href: NEW_ADDRESS }, "New conversation"))),
  );
}

async function showSearch(url) {
  const query = url.searchParams.get("q") ?? "";
  if (document.activeElement !== search) search.value = query;
  leave();
  plainHeading("Search");
  await showResults(url);
  byId("scroller").scrollTop = history.state?.scroll ?? 0;
}

function leave() {
  watch(null);
  conversation.leave();
  composer.hideComposer();
  list.choose(null);
}

const inSearch = () => location.pathname === "/search";
const inConversation = () => !byId("composer").hidden;

// --- what people do ---

function changed(meta) {
  if (meta.id === conversation.current().place) conversation.current().meta = meta;
  drawHeading();
  if (list.showsArchived() && !meta.archived) turnArchived(false);
  return look();
}

function turnArchived(wanted) {
  list.showArchived(wanted);
  byId("show-archived").setAttribute("aria-pressed", wanted);
}

function eraseConversation(meta) {
  const begins = meta.id === conversation.current().place ? conversation.beginning() : "";
  return askToErase(conversationToErase(meta, begins), async () => {
    forget(meta.id);
    await list.refresh();
    history.replaceState({}, "", "/");
    await route();
  });
}

async function regenerate({ id, conversationId }) {
  conversation.remake(conversationId, true);
  try {
    await post(`${conversation.path(conversationId)}/messages/${id}/regenerate`);
    await look();
  } catch (problem) {
    toast(`${problem.message} ${problem.remedy}`);
  }
  conversation.remake(conversationId, false);
}

const eraseMessage = (message) => askToErase(messageToErase(message), look);

function edit(message) {
  outbox.drop([message.key]);
  conversation.draw();
  composer.write(message.text);
}

function discard(message) {
  outbox.drop([message.key]);
  conversation.draw();
  toast("Discarded.", { name: "Undo", run: () => {
    outbox.add(message);
    conversation.draw();
  } });
}

// The new conversation has got its id: whoever looks at it goes on looking at it.
function begun(id) {
  if (conversation.current().place !== NEW || !inConversation()) return;
  history.replaceState({}, "", `/c/${id}`);
  conversation.current().place = id;
  list.choose(id);
  watch(id);
  conversation.draw();
}

async function settled(message, reply) {
  const { conversationId } = reply;
  if (reply.turnNumber === null) {
    outbox.drop([message.key]);
    conversation.putAside(conversationId, [reply.reply]);
  }
  await look().catch((problem) => {
    outbox.drop([message.key]);
    conversation.putAside(conversationId, [asSaid(message), reply.reply]);
    if (problem.status !== 503) sayProblem(problem);
  });
}

const asSaid = ({ key, text, at }) =>
  ({ id: key, key, role: "user", content: text, timestamp: at, sources: [] });

let typing;
function typed() {
  clearTimeout(typing);
  typing = setTimeout(find, 150);
}

function find() {
  clearTimeout(typing);
  const address = `/search?q=${encodeURIComponent(search.value)}`;
  if (!inSearch()) return go(address);
  history.replaceState(history.state, "", address);
  return route();
}

// --- a look at what is there now ---

let rounds = 0;
let isCutOff = false;
async function look() {
  const { place } = conversation.current();
  const isHere = () => place === conversation.current().place;
  await list.refresh();
  if (place === null || place === NEW) return;
  try {
    const found = await get(conversation.path(place));
    if (!isHere()) return;
    conversation.take(found);
    drawHeading();
    composer.turnComposer(place, found.conversation.readOnly);
  } catch (problem) {
    if (isHere()) throw problem;
  }
}

async function round() {
  try {
    if (rounds % HEALTH_EVERY === 0) await checkHealth();
    await look();
    rounds += 1;
    if (isCutOff || composer.missedSome()) composer.reconnected();
    isCutOff = false;
  } catch (problem) {
    rounds = 0;
    isCutOff ||= problem.status === 0;
    if (problem.status === 404) showMissing(conversation.current().place, problem);
    else if (problem.status !== 503) sayProblem(problem);
  }
}

async function keepLooking() {
  for (;;) {
    await new Promise((resume) => setTimeout(resume, EVERY));
    if (!document.hidden) await round();
  }
}

// --- begin ---

function listen() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='/']");
    if (!link || link.dataset.outside !== undefined || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      document.body.classList.add("menu-open");
      search.select();
      search.focus();
    } else if (event.key === "Escape") escape(event);
    else if (inSearch()) walkHits(event, search);
  });
  addEventListener("popstate", route);
  byId("new-conversation").addEventListener("click", async () => {
    await go(NEW_ADDRESS);
    composer.focusComposer();
  });
  search.addEventListener("input", typed);
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    document.body.classList.remove("menu-open");
    find();
  });
  byId("show-archived").addEventListener("click", async () => {
    turnArchived(!list.showsArchived());
    await list.refresh();
  });
  for (const id of ["close-menu", "shade"]) {
    byId(id).addEventListener("click", () => document.body.classList.remove("menu-open"));
  }
  byId("sign-out").addEventListener("click", askToSignOut);
}

// Out of the menu; out of the search, back to where one was.
function escape(event) {
  document.body.classList.remove("menu-open");
  if (document.querySelector("dialog[open]") || closeNotes()) return;
  if (!inSearch()) {
    if (document.activeElement === search) composer.focusComposer();
    return;
  }
  event.preventDefault(); // or the box would be cleared, and searched with
  clearTimeout(typing);
  search.value = "";
  search.blur();
  isReturning = true;
  if (history.state?.inside) history.back();
  else go("/");
}

function askToSignOut() {
  const dialog = openDialog();
  const leaveNow = async (event) => {
    event.currentTarget.disabled = true;
    try {
      await post("/api/logout");
      location.assign("/login");
    } catch (problem) {
      dialog.close();
      toast(`${problem.message} ${problem.remedy}`);
    }
  };
  fill(
    dialog,
    "Sign out of this browser?",
    [el("p", {}, "To come back you need your password or another link: the one you came in with works only once. When Palaver is started again, it prints a new link.")],
    [button("plain", "Stay signed in", () => dialog.close()), button("danger", "Sign out", leaveNow)],
  );
}

async function begin() {
  outbox.open();
  const me = await get("/api/me");
  useZone(me.timezone);
  useAssistantName(me.assistant);
  byId("search-hint").textContent = /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K";
  conversation.useActions({ erase: eraseMessage, regenerate, retry: composer.deliver, edit, discard });
  listen();
  document.body.classList.add("ready");
  await checkHealth().catch(sayProblem);
  await list.refresh().catch(sayProblem);
  await route();
  composer.useComposer(settled, begun);
  await keepLooking();
}

begin().catch((problem) => {
  if (problem.status === 401) location.replace("/login");
  else {
    document.body.classList.add("ready");
    say("wrong", `${problem.message} ${problem.remedy ?? ""}`);
    setTimeout(() => location.reload(), 3000);
  }
});
