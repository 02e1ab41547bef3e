// Where others read along: who they are, and that they are told nothing else.
import { useMemo } from "react";
import type { Message } from "../api/shapes";
import { useStore } from "../state/store";
import { channelMetaOf } from "../ui/channelMeta";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Visible } from "../ui/Visible";

/** How the owner is called among the participants. */
const OWNER = "user";
const SHOWN = 4;

const NONE: readonly Message[] = [];

export function Audience({ id }: { id: string }) {
  const meta = useStore((state) => state.conversations[id]);
  const messages = useStore((state) => state.transcripts[id]?.messages ?? NONE);
  const ids = meta?.participants;
  const names = useMemo(() => namesOf(ids ?? [], messages), [ids, messages]);
  if (!meta || !channelMetaOf(meta).isMixed) return null;
  const rest = names.length - SHOWN;
  return (
    <p className="talk-audience" role="note">
      <Icon name="people" size={16} />
      <span>
        {names.length > 0 ? (
          <>
            {names.slice(0, SHOWN).map((name, index) => (
              <span key={name}>
                {index > 0 && ", "}
                <bdi>
                  <Visible text={name} />
                </bdi>
              </span>
            ))}
            {rest > 0 && ` and ${counted(rest, "other")}`} {names.length === 1 ? "reads" : "read"}{" "}
            along.
          </>
        ) : (
          "Others read along."
        )}{" "}
        Nothing else is told there: no memories, no other conversations.
      </span>
    </p>
  );
}

/** Those who take part or have written, by the names that they gave. */
export function namesOf(ids: readonly string[], messages: readonly Message[]): string[] {
  const names = new Map(ids.filter((one) => one !== OWNER).map((one) => [one, one]));
  for (const { author, sender } of messages) {
    if (author?.kind !== "participant") continue;
    const known = author.id ?? sender;
    if (known) names.set(known, sender || known);
  }
  return [...new Set(names.values())];
}
