// What of the owner's has to do with a message, and whoever answered it did not have.
import { useState } from "react";
import { Link } from "wouter";
import { useFetched } from "../api/useFetched";
import { useName } from "../memories/Choose";
import { memoryPath } from "../memories/deeds";
import type { MemoryHistory } from "../memories/shapes";
import { memoryAddress } from "../memories/wanted";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Visible } from "../ui/Visible";
import type { Withheld as Kept } from "./shapes";

export function Withheld({ withheld }: { withheld: Kept }) {
  const [isOpen, setOpen] = useState(false);
  const { memories, conversations } = withheld;
  const parts = [
    memories.length > 0 && counted(memories.length, "memory", "memories"),
    conversations.length > 0 && counted(conversations.length, "conversation"),
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <details className="ext-withheld" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="lock" size={14} />
        Withheld: {parts.join(" and ")}
      </summary>
      {isOpen && (
        <>
          <p className="soft">
            This is what you would have been answered with. Whoever wrote the reply did not have it.
            Only you see this.
          </p>
          <ul aria-label="What was withheld">
            {memories.map((id) => (
              <li key={id}>
                <MemoryLink id={id} />
              </li>
            ))}
            {conversations.map((id) => (
              <li key={id}>
                <ConversationLink id={id} />
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

function MemoryLink({ id }: { id: string }) {
  const { data, problem } = useFetched<MemoryHistory>(memoryPath(id, "history"));
  if (problem?.status === 404) return <span className="soft">A memory that is forgotten.</span>;
  return (
    <Link href={memoryAddress(id)}>
      Memory: <bdi>{data ? <Visible text={data.memory.content} /> : "…"}</bdi>
    </Link>
  );
}

function ConversationLink({ id }: { id: string }) {
  const known = useStore((state) => state.conversations[id]);
  const name = useName(id, known);
  return (
    <Link href={`/c/${encodeURIComponent(id)}`}>
      Conversation:{" "}
      <bdi>
        <Visible text={name || "…"} />
      </bdi>
    </Link>
  );
}
