// What the browser keeps between visits. A full or forbidden storage is never an error: what is
// typed then lives as long as the tab.

const memory = new Map<string, string>();
/** What the storage did not take: what it may still hold under the name is older. */
const refused = new Set<string>();
const PREFIX = "palaver.";

export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
    refused.delete(name);
  } catch {
    refused.add(name); // Full or forbidden: `memory` has it.
  }
}

export function kept<T>(name: string): T | null {
  let text: string | null = null;
  try {
    if (!refused.has(name)) text = localStorage.getItem(PREFIX + name);
  } catch {
    // Forbidden: `memory` has it.
  }
  text ??= memory.get(name) ?? null;
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    return null; // somebody else wrote there
  }
}

export function forget(name: string): void {
  memory.delete(name);
  refused.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Forbidden: it was only in `memory`.
  }
}

/** The names that are kept and begin so. */
export function keptNames(begin: string): string[] {
  const names = new Set<string>([...memory.keys()].filter((name) => name.startsWith(begin)));
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index) ?? "";
      if (key.startsWith(PREFIX + begin)) names.add(key.slice(PREFIX.length));
    }
  } catch {
    // Forbidden.
  }
  return [...names];
}
