// Signing in: the code is used by a POST, so that a preview of the link does not use it up.
import { get, post, Problem } from "./api.js";

const part = (id) => document.getElementById(id);
const code = new URLSearchParams(location.search).get("code");
const button = part("sign-in");
const form = part("by-name");
const asksForPassword = !form.hidden;

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
  form.hidden = true;
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
    form.hidden = !asksForPassword;
  }
}

function refuse() {
  say(
    "This link does not work",
    "A sign-in link works once, for a day, and only while the Palaver that printed it is running.",
    asksForPassword
      ? "Sign in with your name and password."
      : "To sign in here, stop Palaver and start it again with “palaver serve”: it prints a new link.",
  );
}

function askForPassword() {
  say("Sign in to Palaver", "With your name and password, or with the link that Palaver printed when it started.");
  part("name").focus();
}

async function signInByName(event) {
  event.preventDefault();
  const [name, password, wrong] = ["name", "password", "wrong"].map(part);
  const send = form.querySelector("button");
  send.disabled = true;
  wrong.hidden = true;
  try {
    await post("/api/login", { name: name.value, password: password.value });
    location.replace("/");
  } catch (problem) {
    wrong.textContent = `${problem.message} ${problem.remedy}`;
    wrong.hidden = false;
    password.select();
  } finally {
    send.disabled = false;
  }
}

async function begin() {
  if (!code) {
    if (await signedIn()) location.replace("/");
    else if (asksForPassword) askForPassword();
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
form.addEventListener("submit", signInByName);
await begin();
