// What a channel says about a conversation that is held there.
import type { ConversationMeta } from "../api/shapes";

export interface ChannelMeta {
  kind: "contact" | "group" | "thread" | null;
  /** Of the contact or group, or the subject of the thread. */
  name: string;
  /** Whether others read along. */
  isMixed: boolean;
}

const KINDS = ["contact", "group", "thread"] as const;

/** Whatever it holds: anybody may have written it. */
export function channelMetaOf(
  conversation: Partial<Pick<ConversationMeta, "channelMeta">>,
): ChannelMeta {
  const { kind, name, audience } = conversation.channelMeta ?? {};
  return {
    kind: KINDS.find((one) => one === kind) ?? null,
    name: typeof name === "string" ? name.trim() : "",
    isMixed: audience === "mixed",
  };
}
