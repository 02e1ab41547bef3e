// Exchanges as the server tells them.
import type { Draft, External, View } from "../../src/external/shapes";
import { message } from "../fake/data";

export const external = (more: Partial<External> = {}): External => ({
  id: "ext-1",
  channel: "whatsapp",
  party: "4915100000",
  name: "Bob",
  trust: "untrusted",
  policy: "acknowledge",
  scope: "",
  created: "2026-11-10T12:00:00Z",
  updated: "2026-11-10T14:05:00Z",
  messageCount: 1,
  lastText: "Is the flat still free?",
  lastBy: "party",
  drafts: 0,
  escalated: false,
  acknowledged: false,
  decided: [],
  code: "ext001",
  ...more,
});

export const asked = message({
  id: "msg-asked",
  conversationId: "ext-1",
  content: "Is the **flat** still free?",
  channel: "whatsapp",
  sender: "Bob",
  author: { kind: "participant", id: "4915100000", grade: "proven" },
});

export const replied = message({
  id: "msg-reply",
  conversationId: "ext-1",
  seq: 2,
  role: "assistant",
  content: "Yes, it is.",
  channel: "whatsapp",
  author: { kind: "assistant", id: null, grade: null },
  replyTo: "msg-asked",
});

export const draft = (more: Partial<Draft> = {}): Draft => ({
  id: "draft-1",
  code: "abc123",
  text: "Yes, come at five.",
  messageId: "msg-asked",
  by: "sonnet",
  created: "2026-11-10T14:06:00Z",
  ...more,
});

export const view = (more: Partial<View> = {}): View => ({
  external: external(),
  messages: [asked],
  hasMore: false,
  unreachable: null,
  drafts: [],
  withheld: [],
  ...more,
});
