// Who said something, as a message's label says it.
import type { Message } from "../api/shapes";

const NAMES = { user: "You", assistant: "Assistant", system: "System", tool: "Tool" } as const;

export const speakerOf = (message: Pick<Message, "role" | "sender" | "author">): string =>
  message.sender && message.author?.kind === "participant" ? message.sender : NAMES[message.role];
