// What a token may do, in words.

export type Scope = "read" | "chat" | "write" | "recall" | "memory:read" | "memory:write" | "admin";

export const SCOPES: readonly { scope: Scope; may: string }[] = [
  { scope: "read", may: "read and export conversations" },
  { scope: "recall", may: "search what was said" },
  { scope: "chat", may: "send messages that are answered" },
  { scope: "write", may: "start, change and erase conversations" },
  { scope: "memory:read", may: "see memories" },
  { scope: "memory:write", may: "add, change and forget memories" },
  { scope: "admin", may: "look after tokens, and see the server’s figures" },
];
