// How the page is laid out: whether the list is there, and how wide it is. Both are kept.
import { create } from "zustand";
import { keep, kept } from "../state/kept";

export const NARROWEST = 208;
export const WIDEST = 480;
export const USUAL = 288;

interface Layout {
  /** Beside the conversation, where there is room for both. */
  isListShown: boolean;
  /** Over the conversation, on a phone. Never kept. */
  isDrawerOpen: boolean;
  width: number;
}

const within = (width: number): number =>
  Math.round(Math.min(WIDEST, Math.max(NARROWEST, width || USUAL)));

export const useLayout = create<Layout>()(() => ({
  isListShown: kept<boolean>("list.shown") ?? true,
  isDrawerOpen: false,
  width: within(Number(kept<number>("list.width") ?? USUAL)),
}));

export function showList(isListShown: boolean): void {
  useLayout.setState({ isListShown });
  keep("list.shown", isListShown);
}

export const openDrawer = (isDrawerOpen: boolean): void => useLayout.setState({ isDrawerOpen });

export function resizeList(wanted: number): void {
  const width = within(wanted);
  useLayout.setState({ width });
  keep("list.width", width);
}
