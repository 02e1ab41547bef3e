// A packet, whole: what it costs, what is in it, what is not, and the messages as they are sent.
import { useRef, useState } from "react";
import type { ContextPacket } from "../api/shapes";
import { copy } from "../ui/copying";
import { count, counted, percent } from "../ui/numbers";
import { Time } from "../ui/Time";
import { Bar } from "./Bar";
import { LeftOutList } from "./LeftOutList";
import { type PartName, slices } from "./parts";
import { Section } from "./Section";
import { Sent } from "./Sent";

interface Props {
  id: string;
  packet: ContextPacket;
  isNext: boolean;
}

/** Below this share of the budget, the parts are too small to be told apart. */
const SMALL = 0.25;

export function Packet({ id, packet, isNext }: Props) {
  const [open, setOpen] = useState<readonly PartName[]>([]);
  const body = useRef<HTMLDivElement>(null);
  const { tokens, budget, sections, contextCompiledAt } = packet;
  const all = slices(packet);
  const used = all.filter(({ name }) => name !== "free");
  const turn = (name: PartName, isOpen: boolean) =>
    setOpen((before) => [...before.filter((one) => one !== name), ...(isOpen ? [name] : [])]);
  const show = (name: PartName) => {
    turn(name, true);
    const parts = [...(body.current?.querySelectorAll("details") ?? [])];
    const opened = parts.find((part) => part.dataset.part === name);
    opened?.querySelector("summary")?.focus();
  };
  return (
    <div ref={body} className="inspector-packet">
      <p className="inspector-sum">
        <strong>{counted(tokens, "token")}</strong> of {count(budget)} ({percent(tokens / budget)})
        {!isNext && (
          <span className="soft">
            {" "}
            · sent <Time at={contextCompiledAt} />
          </span>
        )}
      </p>
      <Bar label="The budget, in tokens" slices={all} onOpen={show} />
      {tokens < budget * SMALL && used.length > 0 && (
        <>
          <p className="inspector-zoom soft">The used part, larger:</p>
          <Bar label="The used part of the budget, in tokens" slices={used} onOpen={show} />
        </>
      )}
      <div className="inspector-parts">
        {sections
          .filter((section) => section.tokens > 0)
          .map((section) => (
            <Section
              key={section.name}
              id={id}
              section={section}
              packet={packet}
              isOpen={open.includes(section.name)}
              onTurn={(isOpen) => turn(section.name, isOpen)}
            />
          ))}
        <p className="inspector-free">
          <span className="inspector-swatch free" /> Free
          <span className="inspector-number">{counted(Math.max(0, budget - tokens), "token")}</span>
        </p>
      </div>
      <LeftOutList packet={packet} />
      <Sent messages={packet.messages} isNext={isNext} />
      <CopyAsJson packet={packet} />
    </div>
  );
}

function CopyAsJson({ packet }: { packet: ContextPacket }) {
  const text = () => JSON.stringify(packet, null, 2);
  return (
    <button
      type="button"
      className="button"
      onClick={() => void copy(text(), "Copied the context as JSON.")}
    >
      Copy as JSON
    </button>
  );
}
