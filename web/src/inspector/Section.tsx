// One part of a packet: what it costs, and the messages it stands on.
import type { ContextPacket, PacketSection } from "../api/shapes";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Visible } from "../ui/Visible";
import { Memories } from "./Memories";
import { words } from "./parts";
import { Sources } from "./Sources";

interface Props {
  id: string;
  section: PacketSection;
  packet: ContextPacket;
  isOpen: boolean;
  onTurn: (isOpen: boolean) => void;
}

export function Section({ id, section, packet, isOpen, onTurn }: Props) {
  const { name, tokens, budget, sources } = section;
  const isMemories = name === "memories";
  return (
    <details
      data-part={name}
      open={isOpen}
      onToggle={(event) => onTurn(event.currentTarget.open)}
      className="inspector-part"
    >
      <summary>
        <Icon name="chevron-right" size={14} />
        <span className="inspector-swatch" data-part={name} />
        {words(name).name}
        <span className="inspector-number" title={`At most ${counted(budget, "token")}`}>
          {counted(tokens, "token")}
        </span>
      </summary>
      {isOpen && (
        <div className="inspector-inside">
          <p className="soft">
            {words(name).about} At most {counted(budget, "token")}.
          </p>
          {name === "summary" && packet.rollingSummary && (
            <blockquote dir="auto">
              <Visible text={packet.rollingSummary} />
            </blockquote>
          )}
          {name === "state" && packet.activeTopics.length > 0 && (
            <p dir="auto">
              Topics: <Visible text={packet.activeTopics.join(", ")} />
            </p>
          )}
          {isMemories ? (
            <Memories memories={packet.memories} />
          ) : (
            <Sources id={id} ids={sources.map(({ messageId }) => messageId)} />
          )}
        </div>
      )}
    </details>
  );
}
