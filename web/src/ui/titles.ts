// What a conversation is called when it has no title yet.
import type { ConversationMeta } from "../api/shapes";
import { channelMetaOf } from "./channelMeta";

type Named = Pick<ConversationMeta, "title" | "abbreviation"> &
  Partial<Pick<ConversationMeta, "channelMeta">>;

/** Its title, else where it is held, else the first words of what it is about. */
export const titleOf = (conversation: Named): string =>
  conversation.title ||
  channelMetaOf(conversation).name ||
  conversation.abbreviation?.slice(0, 80) ||
  "New conversation";
