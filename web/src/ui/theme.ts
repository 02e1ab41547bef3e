// Light and dark: by the system, or by choice. The choice is kept, and other tabs follow it.

export type Theme = "system" | "light" | "dark";

const KEY = "palaver.theme";
const listeners = new Set<() => void>();
let chosen: Theme | null = null;

const read = (): Theme => {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // a storage that is forbidden
  }
};

export function chosenTheme(): Theme {
  chosen ??= read();
  return chosen;
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Full or forbidden: it holds as long as the tab.
  }
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  chosen = theme;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function followOtherTabs(event: StorageEvent) {
  if (event.key === KEY || event.key === null) applyTheme(read());
}

/** Told when the choice changes, here or in another tab. Returns how to stop. */
export function onTheme(listener: () => void): () => void {
  window.addEventListener("storage", followOtherTabs); // the same one is added only once
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", followOtherTabs);
  };
}
