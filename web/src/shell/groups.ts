// The list in its parts: pinned channels first, then what is active, then the rest.
import type { ConversationMeta } from "../api/shapes";

const ACTIVE = 24 * 60 * 60 * 1000;

export interface Group {
  name: "Channels" | "Active" | "Recent";
  conversations: ConversationMeta[];
}

export const isChannel = (conversation: ConversationMeta): boolean =>
  conversation.channel !== "web" && conversation.channel !== "cli";

/** `all` in the order of the list; each stands in one group, and empty groups are left out. */
export function grouped(all: readonly ConversationMeta[], now: number): Group[] {
  const groups: Group[] = [
    { name: "Channels", conversations: [] },
    { name: "Active", conversations: [] },
    { name: "Recent", conversations: [] },
  ];
  const [channels, active, recent] = groups as [Group, Group, Group];
  for (const one of all) {
    const isActive = now - Date.parse(one.updated) < ACTIVE;
    const group = one.pinned && isChannel(one) ? channels : isActive ? active : recent;
    group.conversations.push(one);
  }
  return groups.filter((group) => group.conversations.length > 0);
}
