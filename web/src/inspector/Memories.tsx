// The memories that a packet takes along: each leads to where it can be changed.
import { Link } from "wouter";
import type { Memory } from "../memories/shapes";
import { memoryAddress } from "../memories/wanted";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";

export function Memories({ memories }: { memories: readonly Memory[] }) {
  if (memories.length === 0) return <p className="soft">It holds no memory.</p>;
  return (
    <ol className="inspector-sources" aria-label="Memories">
      {memories.map((memory) => (
        <li key={memory.id}>
          <Link href={memoryAddress(memory.id)}>
            <span className="inspector-who">
              {memory.pinned && "Pinned, "}since <Time at={memory.validFrom ?? memory.created} />
            </span>
            <span className="inspector-words" dir="auto">
              <Visible text={memory.content} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
