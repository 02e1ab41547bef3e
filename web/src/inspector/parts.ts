// The parts of a packet, in words and in numbers.
import type { ContextPacket, PacketSection } from "../api/shapes";

export type PartName = PacketSection["name"];

interface Words {
  name: string;
  about: string;
}

const NAMES: Record<PartName | "memories", Words> = {
  yesterday: { name: "Yesterday", about: "A summary of yesterday." },
  today: { name: "Today", about: "A summary of today." },
  summary: { name: "Summary", about: "What was said before the messages below, in fewer words." },
  state: { name: "State", about: "Topics, and what is left open." },
  memories: {
    name: "Memories",
    about: "What is remembered: pinned, and what fits to the message.",
  },
  rounds: { name: "Earlier rounds", about: "Earlier messages that fit to the last one." },
  history: { name: "Messages", about: "The last messages, as they were said." },
};

/** A part in words; one that a newer server names and this page does not know, by that name. */
export const words = (name: PartName): Words =>
  Object.hasOwn(NAMES, name) ? NAMES[name] : { name, about: "" };

export interface Slice {
  name: PartName | "free";
  tokens: number;
}

/** What each part takes of the budget, and what is left of it: together exactly the budget. */
export function slices({ sections, tokens, budget }: ContextPacket): Slice[] {
  const taken = sections.filter((section) => section.tokens > 0);
  return [
    ...taken.map(({ name, tokens: cost }): Slice => ({ name, tokens: cost })),
    { name: "free", tokens: Math.max(0, budget - tokens) },
  ];
}
