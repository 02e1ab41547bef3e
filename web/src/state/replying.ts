// Replies in the making. The server counts characters, not UTF-16 units; so is counted here.
import type { Replying, ToolUse } from "./model";

/** A text that grows, and how many characters it has. */
interface Growing {
  text: string;
  length: number;
}

/** A reply in the making, with what is needed to add to it. */
export interface Making {
  messageId: string;
  turnNumber: number;
  said: Growing;
  thought: Growing;
  tools: readonly ToolUse[];
  stopping: boolean;
  /** A part is missing: what there is stays until all of it is told again. */
  isTorn: boolean;
}

const NOTHING: Growing = { text: "", length: 0 };

export const beginning = (messageId: string, turnNumber: number, stopping = false): Making => ({
  messageId,
  turnNumber,
  said: NOTHING,
  thought: NOTHING,
  tools: [],
  stopping,
  isTorn: false,
});

export const asReplying = ({ messageId, turnNumber, said, thought, tools, stopping }: Making) =>
  ({
    messageId,
    turnNumber,
    text: said.text,
    thinking: thought.text,
    tools,
    stopping,
  }) satisfies Replying;

function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) length -= 1; // the second half of a character
  }
  return length;
}

/** The text with a part that begins at `offset`; null when something before it is missing. */
export function grown({ text, length }: Growing, offset: number, more: string): Growing | null {
  if (offset > length) return null;
  const before = offset === length ? text : Array.from(text).slice(0, offset).join("");
  return { text: before + more, length: offset + lengthOf(more) };
}

/** The tools with a use that has begun, or ended. */
export function used(tools: readonly ToolUse[], use: ToolUse): readonly ToolUse[] {
  if (use.state === "started") return [...tools, use];
  const at = tools.findIndex((one) => one.toolName === use.toolName && one.state === "started");
  return at === -1 ? [...tools, use] : tools.with(at, use);
}
