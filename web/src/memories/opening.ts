// What can be opened over any page to do something with memories. The dialogs themselves are
// loaded when one of them is opened.
import { create } from "zustand";
import type { Memory } from "./shapes";

export type Opened =
  | { kind: "remember"; conversationId: string; messageId: string; content: string; quote: string }
  | { kind: "extract"; conversationId: string | null }
  | { kind: "forget"; memory: Memory }
  | { kind: "forgetAbout" }
  | { kind: "forgetFrom"; conversationId: string | null };

export const useOpened = create<{ opened: Opened | null }>()(() => ({ opened: null }));

export const openMemories = (opened: Opened | null): void => useOpened.setState({ opened });
