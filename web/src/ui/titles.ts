// What a conversation is called when it has no title yet.
import type { ConversationMeta } from "../api/shapes";

type Named = Pick<ConversationMeta, "title" | "abbreviation">;

/** Its title, else the first words of what it is about. */
export const titleOf = (conversation: Named): string =>
  conversation.title || conversation.abbreviation?.slice(0, 80) || "New conversation";
