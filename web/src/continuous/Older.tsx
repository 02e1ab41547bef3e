// What the summary covers is folded away: it is not gone.
import { Icon } from "../ui/Icon";
import { count } from "../ui/numbers";

interface Props {
  many: number;
  isOpen: boolean;
  onTurn: () => void;
}

export function Older({ many, isOpen, onTurn }: Props) {
  return (
    <button
      type="button"
      className="button quiet day-older"
      aria-expanded={isOpen}
      onClick={onTurn}
    >
      <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={16} />
      Older messages ({count(many)})
      <span className="soft day-older-why">covered by the summary</span>
    </button>
  );
}
