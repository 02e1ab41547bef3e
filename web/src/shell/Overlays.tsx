// What opens over the page by a key: the palette and the list of keys; and what the keys and the
// palette can do on every page.

import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { create } from "zustand";
import { dayAddress, TODAY } from "../continuous/address";
import { moved } from "../insights/days";
import { openMemories, useOpened } from "../memories/opening";
import { useShortcut } from "../ui/keys";
import { useZone } from "../ui/Time";
import { chooseTheme, type Theme } from "../ui/theme";
import { dayOf } from "../ui/times";
import { useIsNarrow } from "../ui/useMedia";
import { useTheme } from "../ui/useTheme";
import { useCommand } from "./commands";
import { useConversationCommands } from "./conversationCommands";
import { KeyHelp } from "./KeyHelp";
import { openDrawer, showList, useLayout } from "./layout";
import { Palette } from "./palette/Palette";
import { useStartNew } from "./startNew";

const Dialogs = lazy(() => import("../memories/Dialogs"));

type Overlay = "palette" | "help" | null;

const useOverlay = create<{ open: Overlay }>()(() => ({ open: null }));

export const openOverlay = (open: Overlay): void => useOverlay.setState({ open });

export function Overlays() {
  const { open } = useOverlay();
  const close = () => openOverlay(null);
  useShortcut("palette", () => openOverlay("palette"));
  useShortcut("help", () => openOverlay("help"));
  useCommand({
    label: "Show the keys",
    icon: "keyboard",
    words: "shortcuts help",
    shortcut: "help",
    run: () => openOverlay("help"),
  });
  useGoing();
  useListCommand();
  useThemeCommands();
  useConversationCommands();
  return (
    <>
      {open === "palette" && <Palette onClose={close} />}
      {open === "help" && <KeyHelp onClose={close} />}
      <MemoryDialogs />
    </>
  );
}

/** Fetched when one of them is opened. */
function MemoryDialogs() {
  const isOpen = useOpened((state) => state.opened !== null);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs />
    </Suspense>
  );
}

function useGoing() {
  const [, go] = useLocation();
  const zone = useZone();
  const startNew = useStartNew();
  const search = () => {
    const box = document.querySelector<HTMLInputElement>("#search");
    if (box && !box.closest("[inert]")) box.focus();
    else go("/search"); // there the box stands on the page
  };
  useShortcut("new", startNew);
  useShortcut("search", search);
  useCommand({
    label: "New conversation",
    icon: "plus",
    words: "start begin",
    shortcut: "new",
    run: startNew,
  });
  useCommand({
    label: "Search everything",
    icon: "search",
    words: "find",
    shortcut: "search",
    run: search,
  });
  useShortcut("today", () => go(TODAY));
  useCommand({
    label: "Go to Today",
    icon: "calendar",
    words: "continuous conversation diary day",
    shortcut: "today",
    run: () => go(TODAY),
  });
  useCommand({
    label: "Go to Yesterday",
    icon: "calendar",
    words: "continuous conversation diary day",
    run: () => go(dayAddress(moved(dayOf(Date.now(), zone), -1))),
  });
  useShortcut("memories", () => go("/memories"));
  useCommand({
    label: "Go to Memories",
    icon: "memory",
    words: "remembered learned facts preferences",
    shortcut: "memories",
    run: () => go("/memories"),
  });
  useCommand({
    label: "Approve memories",
    icon: "memory",
    words: "waiting queue candidates",
    run: () => go("/memories?show=waiting"),
  });
  useCommand({
    label: "Audit the memories",
    icon: "memory",
    words: "junk duplicates stale check",
    run: () => go("/memories?show=audit"),
  });
  useCommand({
    label: "Extract memories…",
    icon: "memory",
    words: "learn remember",
    run: () => openMemories({ kind: "extract", conversationId: null }),
  });
  useCommand({
    label: "Forget everything about a word…",
    icon: "trash",
    words: "memories erase",
    run: () => openMemories({ kind: "forgetAbout" }),
  });
  useCommand({
    label: "Go to External communications",
    icon: "people",
    words: "outsiders people channels drafts approve exchanges",
    run: () => go("/external"),
  });
  useCommand({
    label: "Go to Insights",
    icon: "insights",
    words: "activity statistics cost tokens",
    run: () => go("/insights"),
  });
  useCommand({
    label: "Go to Settings",
    icon: "settings",
    words: "options model time zone tokens channels",
    run: () => go("/settings"),
  });
}

function useListCommand() {
  const isNarrow = useIsNarrow();
  const { isListShown, isDrawerOpen } = useLayout();
  const isThere = isNarrow ? isDrawerOpen : isListShown;
  const turn = () => (isNarrow ? openDrawer(!isDrawerOpen) : showList(!isListShown));
  useShortcut("sidebar", turn);
  useCommand({
    label: isThere ? "Hide the list" : "Show the list",
    icon: "sidebar",
    words: "sidebar",
    shortcut: "sidebar",
    run: turn,
  });
}

function useThemeCommands() {
  const theme = useTheme();
  const offer = (wanted: Theme, label: string, icon: "sun" | "moon") =>
    theme === wanted
      ? null
      : { label, icon, words: "theme colours toggle", run: () => chooseTheme(wanted) };
  useCommand(offer("light", "Use the light theme", "sun"));
  useCommand(offer("dark", "Use the dark theme", "moon"));
  useCommand(offer("system", "Use the system's theme", "sun"));
}
