// The keys of the page: one place, which the help dialog and the palette read. "mod" is ⌘ on a Mac
// and Ctrl elsewhere.
import { useEffect, useRef } from "react";

export interface Shortcut {
  keys: readonly string[];
  does: string;
  where:
    | "Everywhere"
    | "In a conversation"
    | "On a day"
    | "In the message box"
    | "On a message"
    | "In the search results"
    | "In the memories"
    | "In the external communications";
}

export const SHORTCUTS = {
  palette: { keys: ["mod+k"], does: "Find anything, or do anything", where: "Everywhere" },
  new: { keys: ["mod+shift+o", "alt+n"], does: "New conversation", where: "Everywhere" },
  search: { keys: ["/"], does: "Search", where: "Everywhere" },
  sidebar: { keys: ["mod+b"], does: "Show or hide the list", where: "Everywhere" },
  rename: { keys: ["f2"], does: "Rename the conversation", where: "In a conversation" },
  context: { keys: ["alt+i"], does: "Show what the model sees", where: "In a conversation" },
  today: { keys: ["alt+t"], does: "Go to Today", where: "Everywhere" },
  memories: { keys: ["alt+m"], does: "Go to Memories", where: "Everywhere" },
  previousDay: { keys: ["[", "arrowleft"], does: "The day before", where: "On a day" },
  nextDay: { keys: ["]", "arrowright"], does: "The day after", where: "On a day" },
  help: { keys: ["?", "mod+/"], does: "Show these keys", where: "Everywhere" },
} as const satisfies Record<string, Shortcut>;

/** Keys that are heard where they are used, and only told here. */
export const ELSEWHERE: readonly Shortcut[] = [
  { keys: ["enter"], does: "Send", where: "In the message box" },
  { keys: ["shift+enter"], does: "New line", where: "In the message box" },
  {
    keys: ["arrowup"],
    does: "Edit your last message, if the box is empty",
    where: "In the message box",
  },
  {
    keys: ["arrowup", "arrowdown", "k", "j"],
    does: "The message before, the message after",
    where: "On a message",
  },
  { keys: ["c"], does: "Copy", where: "On a message" },
  { keys: ["q"], does: "Quote", where: "On a message" },
  { keys: ["l"], does: "Copy link", where: "On a message" },
  { keys: ["e"], does: "Edit, if it is your last one", where: "On a message" },
  { keys: ["r"], does: "Regenerate, if it is the last reply", where: "On a message" },
  { keys: ["w"], does: "What the model saw", where: "On a message" },
  { keys: ["m"], does: "Remember this", where: "On a message" },
  { keys: ["delete"], does: "Erase, after a question", where: "On a message" },
  {
    keys: ["arrowup", "arrowdown", "k", "j"],
    does: "The result before, the result after",
    where: "In the search results",
  },
  {
    keys: ["arrowup", "arrowdown", "k", "j"],
    does: "The memory before, the memory after",
    where: "In the memories",
  },
  { keys: ["e"], does: "Edit", where: "In the memories" },
  { keys: ["p"], does: "Pin, or unpin", where: "In the memories" },
  { keys: ["h"], does: "Show its history", where: "In the memories" },
  { keys: ["b"], does: "Bring back one that was replaced", where: "In the memories" },
  { keys: ["x"], does: "Archive, or unarchive", where: "In the memories" },
  { keys: ["delete"], does: "Forget, after a question", where: "In the memories" },
  { keys: ["a"], does: "Approve one that waits", where: "In the memories" },
  { keys: ["r"], does: "Reject one that waits", where: "In the memories" },
  { keys: ["f"], does: "Put right what the audit found", where: "In the memories" },
  {
    keys: ["arrowup", "arrowdown", "k", "j"],
    does: "The exchange or message before, the one after",
    where: "In the external communications",
  },
  { keys: ["a"], does: "Approve a draft", where: "In the external communications" },
  { keys: ["e"], does: "Edit a draft", where: "In the external communications" },
  { keys: ["r"], does: "Reject a draft", where: "In the external communications" },
  {
    keys: ["delete"],
    does: "Erase the exchange, after a question",
    where: "In the external communications",
  },
];

export type ShortcutName = keyof typeof SHORTCUTS;

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const SHOWN: Record<string, string> = {
  alt: "Alt",
  shift: "Shift",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
  enter: "Enter",
};
const ON_MAC: Record<string, string> = { mod: "⌘", alt: "⌥", shift: "⇧" };

/** "Ctrl K" or, on a Mac, "⌘ K". */
export const shown = (keys: string, mac = isMac()): string =>
  keys
    .split("+")
    .map((key) =>
      mac && ON_MAC[key] ? ON_MAC[key] : (SHOWN[key] ?? (key === "mod" ? "Ctrl" : upper(key))),
    )
    .join(" ");

const upper = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);

/** The keys for the attribute `aria-keyshortcuts`. */
export const spoken = (name: ShortcutName): string =>
  SHORTCUTS[name].keys
    .map((keys) => keys.replace("mod", isMac() ? "Meta" : "Control").replace("alt", "Alt"))
    .join(" ");

/** Whether these keys were pressed, and no others. A sign such as "?" may need Shift. */
export function pressed(event: KeyboardEvent, keys: string, mac = isMac()): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const wants = (name: string) => parts.includes(name);
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  // With Alt a Mac writes another letter: then the key itself counts.
  const typed = wants("alt") && event.code.startsWith("Key") ? event.code.slice(3) : event.key;
  return (
    typed.toLowerCase() === key &&
    event.ctrlKey === (wants("mod") && !mac) &&
    event.metaKey === (wants("mod") && mac) &&
    event.altKey === wants("alt") &&
    (isSign || event.shiftKey === wants("shift"))
  );
}

/** Whether somebody writes there, so that single letters are theirs. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

/** What takes arrow keys itself: they walk in it, or push it sideways. */
const WALKED =
  "[role=dialog], [role=grid], [role=menu], [role=slider], [role=separator], pre, table";

const isTheirs = (keys: string, target: EventTarget | null): boolean => {
  if (keys.length === 1) return isWriting(target);
  if (!keys.startsWith("arrow")) return false;
  return isWriting(target) || (target instanceof Element && target.closest(WALKED) !== null);
};

const hasDialog = (): boolean => document.querySelector("dialog[open]") !== null;

/** Runs when the keys of `name` are pressed anywhere: signs and arrows not while somebody writes,
 * and none while a dialog asks something. */
export function useShortcut(name: ShortcutName, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || hasDialog()) return;
      const found = SHORTCUTS[name].keys.find((keys) => pressed(event, keys));
      if (!found || isTheirs(found, event.target)) return;
      event.preventDefault();
      latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [name]);
}
