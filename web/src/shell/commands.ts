// What can be done now, by name: the palette lists it. Each part of the page gives its own while
// it is on the screen.
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { IconName } from "../ui/Icon";
import type { ShortcutName } from "../ui/keys";

export interface Command {
  /** What it does, as a button would say it. */
  label: string;
  icon: IconName;
  run: () => void;
  /** Other words that people may look for. */
  words?: string;
  shortcut?: ShortcutName;
}

let given: readonly Command[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Command[]) {
  given = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Offers a command in the palette while the component is there; null offers none. */
export function useCommand(command: Command | null): void {
  const run = useRef(command?.run);
  run.current = command?.run;
  const { label, icon, words, shortcut } = command ?? {};
  useEffect(() => {
    if (label === undefined || icon === undefined) return;
    const offered: Command = {
      label,
      icon,
      run: () => run.current?.(),
      ...(words === undefined ? {} : { words }),
      ...(shortcut === undefined ? {} : { shortcut }),
    };
    change([...given, offered]);
    return () => change(given.filter((one) => one !== offered));
  }, [label, icon, words, shortcut]);
}

/** What can be done now. */
export const useCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => given);
