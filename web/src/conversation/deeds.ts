// What can be done with a message: one list for its buttons and for the keys.
import type { Message } from "../api/shapes";
import { openMemories } from "../memories/opening";
import { copy } from "../ui/copying";
import type { IconName } from "../ui/Icon";
import { spanIn } from "../ui/quoted";
import { fillBox } from "./box";
import type { Row } from "./rows";
import type { Talking } from "./talking";
import { isOwn, quoted } from "./words";

export interface Deed {
  label: string;
  icon: IconName;
  /** The key that does it while the message has the focus. */
  key: string;
  run: () => void;
}

/** Where a message stands among the others. */
export interface Standing {
  /** It is the last that was said. */
  isLast: boolean;
  /** It is the last that the user said. */
  isLastOwn: boolean;
}

/** What is selected inside the message, else nothing. */
function selection(message: Message): string {
  const selected = getSelection();
  const article = document.getElementById(message.id);
  const isInside = selected?.anchorNode && article?.contains(selected.anchorNode);
  return isInside ? selected.toString().trim() : "";
}

/** What is selected inside the message, else all of it. */
const selectedIn = (message: Message): string => selection(message) || message.content;

/** Asks what to remember: what is selected, else the message, or how it begins. */
export function remember(message: Message): void {
  const { conversationId, id: messageId, content } = message;
  const quote = spanIn(content, selection(message)) ?? beginning(content);
  openMemories({ kind: "remember", conversationId, messageId, content, quote });
}

const LONGEST_QUOTE = 500;

/** Whole words of it, as they stand there. */
function beginning(content: string): string {
  const text = content.trim();
  if (text.length <= LONGEST_QUOTE) return text;
  return text.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, "");
}

export const addressOf = ({ conversationId, id }: Message): string =>
  `${location.origin}/c/${conversationId}#${id}`;

/** The last reply can be made again, unless it is being made. */
const canRegenerate = ({ message }: Row, { isLast }: Standing, talking: Talking): boolean =>
  isLast && talking.canWrite && message.role === "assistant" && message.replyTo !== null;

export function deedsFor(row: Row, standing: Standing, talking: Talking): Deed[] {
  const { message, outgoing } = row;
  if (message.status === "redacted" || message.status === "streaming") return [];
  const deeds: Deed[] = [
    { label: "Copy", icon: "copy", key: "c", run: () => copy(message.content, "Copied.") },
  ];
  if (talking.canWrite) {
    const run = () => fillBox(quoted(selectedIn(message)));
    deeds.push({ label: "Quote", icon: "quote", key: "q", run });
  }
  if (outgoing || message.turnNumber === 0) return deeds;
  if (standing.isLastOwn && talking.canWrite && isOwn(message)) {
    deeds.push({ label: "Edit", icon: "rename", key: "e", run: () => talking.edit(message.id) });
  }
  if (canRegenerate(row, standing, talking)) {
    const run = () => talking.regenerate(message);
    deeds.push({ label: "Regenerate", icon: "again", key: "r", run });
  }
  if (message.role === "assistant") {
    const run = () => talking.look(message.turnNumber);
    deeds.push({ label: "What the model saw", icon: "context", key: "w", run });
  }
  if (talking.canRemember && message.status === "complete" && /\S/.test(message.content)) {
    const run = () => remember(message);
    deeds.push({ label: "Remember this", icon: "memory", key: "m", run });
  }
  const link = () => copy(addressOf(message), "The link is copied.");
  deeds.push({ label: "Copy link", icon: "link", key: "l", run: link });
  if (talking.canErase) {
    const run = () => talking.erase(message);
    deeds.push({ label: "Erase", icon: "trash", key: "Delete", run });
  }
  return deeds;
}
