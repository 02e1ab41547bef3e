// Signing in: the code is used by a POST, so that a preview of the link does not use it up.
import { get, post, Problem } from "./api.js";

const part = (id) => document.getElementById(id);
const code = new URLSearchParams(location.search).get("code");
const button = part("sign-in");

function say(title, text, remedy = "") {
  part("title").textContent = title;
  part("text").textContent = text;
  part("remedy").textContent = remedy;
}

async function signedIn() {
  try {
    return Boolean(await get("/api/me"));
  } catch (problem) {
    if (problem instanceof Problem) return false;
    throw problem;
  }
}

async function signIn() {
  button.hidden = true;
  say("Signing you in…", "One moment.");
  try {
    await post("/api/login", { code });
    location.replace("/");
  } catch (problem) {
    if (problem.code === "sign_in_required" && (await signedIn())) location.replace("/");
    else if (problem.code === "sign_in_required") refuse();
    else {
      say("That did not work", problem.message, problem.remedy);
      button.textContent = "Try again";
      button.hidden = false;
    }
  }
}

function refuse() {
  say(
    "This link has been used",
    "A sign-in link works once, for a day, and only while the Palaver that printed it is running.",
    "To sign in here, stop Palaver and start it again with “palaver serve”: it prints a new link.",
  );
}

async function begin() {
  if (!code) {
    if (await signedIn()) location.replace("/");
    return;
  }
  button.hidden = false;
  if (document.prerendering) {
    document.addEventListener("prerenderingchange", signIn, { once: true });
  } else {
    await signIn();
  }
}

button.addEventListener("click", signIn);
await begin();
