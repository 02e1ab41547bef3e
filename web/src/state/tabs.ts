// Tabs share what the browser keeps. A lock per tab says which of them are still there: it is
// given back when a tab is closed, whatever closes it.
import { newKey } from "./ids";

const NAME = "palaver.tab";
/** A tab that is reloaded is back by then. */
const COMES_BACK_WITHIN = 3_000;
/** A duplicated tab has the name of the other one, which keeps its lock. */
const RELOADED_WITHIN = 500;

// Missing where the page is not served securely: then a tab only knows itself.
const locks = (): LockManager | undefined => navigator.locks;

function named(): string {
  try {
    const known = sessionStorage.getItem(NAME) ?? newKey();
    sessionStorage.setItem(NAME, known);
    return known;
  } catch {
    return newKey();
  }
}

function rename(): string {
  const name = newKey();
  try {
    sessionStorage.setItem(NAME, name);
  } catch {
    // Forbidden: it has this name until it is reloaded.
  }
  return name;
}

/** Holds a lock until `signal` is aborted. Whether it could be had in time. */
function hold(name: string, signal: AbortSignal): Promise<boolean> {
  const manager = locks();
  if (!manager) return Promise.resolve(true);
  return new Promise((resolve) => {
    const late = AbortSignal.timeout(RELOADED_WITHIN);
    const held = () =>
      new Promise<void>((release) => {
        resolve(true);
        signal.addEventListener("abort", () => release(), { once: true });
        if (signal.aborted) release();
      });
    manager.request(`${NAME}.${name}`, { signal: late }, held).catch(() => resolve(false));
  });
}

/** The name of this tab: the same one after a reload. */
export async function enterTab(signal: AbortSignal): Promise<string> {
  const name = named();
  if (await hold(name, signal)) return name;
  const other = rename();
  await hold(other, signal);
  return other;
}

/** Calls `gone` when a tab is no longer there, and does not come back from a reload. */
export async function whenGone(name: string, signal: AbortSignal, gone: () => void): Promise<void> {
  const manager = locks();
  if (!manager) return signal.aborted ? undefined : gone(); // the keys keep it from being said twice
  const lock = `${NAME}.${name}`;
  try {
    while (!signal.aborted) {
      await manager.request(lock, { signal }, () => {});
      await new Promise((resume) => setTimeout(resume, COMES_BACK_WITHIN));
      const isGone = await manager.request(lock, { ifAvailable: true }, (held) => {
        if (held && !signal.aborted) gone(); // while no other tab can
        return held !== null;
      });
      if (isGone) return;
    }
  } catch {
    // Aborted: this tab itself is left.
  }
}
