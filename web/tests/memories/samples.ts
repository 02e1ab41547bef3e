// Memories as the server tells them.
import type { Memory } from "../../src/memories/shapes";

export const memory = (more: Partial<Memory> = {}): Memory => ({
  id: "mem-1",
  type: "fact",
  category: null,
  content: "Moved to Oslo.",
  confidence: 0.93,
  pinned: false,
  archived: false,
  accessCount: 0,
  lastAccessedAt: null,
  sourceConversationId: "conv-1",
  sourceMessageId: "msg-1",
  quote: "I moved to Oslo in March",
  validFrom: "2026-03-03T12:00:00Z",
  supersededBy: null,
  created: "2026-03-04T10:00:00Z",
  updated: "2026-03-04T10:00:00Z",
  state: "kept",
  by: "offline",
  edited: false,
  beside: [],
  ...more,
});

export const listed = (...memories: Memory[]) => ({ memories, nextCursor: null });
