// What was true before, and what came after it: “Lives in Berlin” until 3 March → “Moved to Oslo”;
// and what was done to the memory, by whom.
import { Link } from "wouter";
import { useFetched } from "../api/useFetched";
import { useMay } from "../settings/may";
import { Skeleton } from "../ui/Skeleton";
import { Time, useMinute, useZone } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { fullTime } from "../ui/times";
import { Visible } from "../ui/Visible";
import { useVersion } from "./asking";
import { memoryPath, named, restoreMemory } from "./deeds";
import { Source } from "./Source";
import type { Memory, MemoryChange, MemoryHistory } from "./shapes";
import { memoryAddress } from "./wanted";
import { day, noter, since } from "./words";

export function History({ id }: { id: string }) {
  const asked = useFetched<MemoryHistory>(memoryPath(id, "history"), String(useVersion()));
  const { data, problem, again } = asked;
  if (problem && !data) return <Trouble problem={problem} again={again} />;
  if (!data) return <Skeleton lines={2} label="Loading the history" />;
  return <Told history={data} />;
}

export function Told({ history: { memory, before, after, changes } }: { history: MemoryHistory }) {
  const line = [...before, memory, ...after];
  return (
    <section className="mem-history" aria-label="History">
      {line.length > 1 && (
        <ol className="mem-line" aria-label="What was true when">
          {line.map((one, index) => (
            <Step
              key={one.id}
              memory={one}
              next={line[index + 1]}
              number={index + 1}
              isHere={one.id === memory.id}
            />
          ))}
        </ol>
      )}
      {line.length === 1 && (
        <p className="soft">Nothing came before it, and nothing replaced it.</p>
      )}
      <ul className="mem-changes soft">
        {changes.map((change) => (
          <li key={`${change.at} ${change.event}`}>
            <Change change={change} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface StepProps {
  memory: Memory;
  next: Memory | undefined;
  number: number;
  isHere: boolean;
}

function Step({ memory, next, number, isHere }: StepProps) {
  const now = useMinute();
  const zone = useZone();
  const mayWrite = useMay("memory:write");
  const end = next ? since(next) : null;
  const begin = since(memory);
  return (
    <li aria-current={isHere ? "true" : undefined}>
      <q dir="auto">
        {isHere ? (
          <Visible text={memory.content} />
        ) : (
          <Link href={memoryAddress(memory.id)}>
            <Visible text={memory.content} />
          </Link>
        )}
      </q>
      <Source memory={memory} number={number} />{" "}
      {end ? (
        <span className="soft" title={fullTime(end, zone)}>
          until {day(end, now, zone)} <span aria-hidden="true">→</span>
        </span>
      ) : (
        <span className="soft" title={fullTime(begin, zone)}>
          since {day(begin, now, zone)}
        </span>
      )}
      {mayWrite && memory.supersededBy !== null && (
        <button
          type="button"
          className="button mem-both"
          aria-label={`Both are true: bring back ${named(memory)}`}
          onClick={() => void restoreMemory(memory)}
        >
          Both are true
        </button>
      )}
    </li>
  );
}

const EVENTS: Record<MemoryChange["event"], string> = {
  added: "Noted",
  edited: "Edited",
  superseded: "Replaced",
  restored: "Brought back",
  candidate: "Suggested",
};

function Change({ change: { at, event, by, content } }: { change: MemoryChange }) {
  return (
    <>
      {EVENTS[event] ?? event} by {noter(by)}, <Time at={at} />
      {content && event === "edited" && (
        <>
          : <Visible text={content} />
        </>
      )}
    </>
  );
}
