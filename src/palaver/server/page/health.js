// Health: what is not well, in one calm line with its remedy; nothing when all is well.
import { get } from "./api.js";
import { byId, el } from "./dom.js";

const banner = byId("banner");
let shown = "";

export function say(kind, text) {
  const next = `${kind} ${text}`;
  if (next === shown) return;
  shown = next;
  banner.replaceChildren(...(text ? [el("p", { class: kind }, text)] : []));
}

export const sayProblem = (problem) =>
  problem.status === 401 ? signedOut() : say("wrong", `${problem.message} ${problem.remedy}`);

function signedOut() {
  shown = "signed out";
  banner.replaceChildren(
    el("p", { class: "wrong" }, "You are signed out. What you write stays here. ",
      el("a", { href: "/login", "data-outside": "" }, "How to sign in")),
  );
}

// Why only words are found and not meaning, if so: no failure, and told where one searches.
let hint = "";
export const onlyWords = () => hint;

export async function checkHealth() {
  const { status, detail, done, total } = await get("/api/health");
  const share = total ? ` ${Math.floor((100 * done) / total)} % done.` : "";
  hint = status === "degraded" && (await isReady()) ? detail : "";
  if (status === "ok" || hint) say("fine", "");
  else say(status === "rebuilding" ? "working" : "wrong", `${detail}${status === "rebuilding" ? share : ""}`);
  return status;
}

async function isReady() {
  try {
    await get("/readyz");
    return true;
  } catch (problem) {
    if (problem.status !== 503) throw problem;
    return false;
  }
}
