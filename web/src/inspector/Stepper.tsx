// From turn to turn: what was sent each time, and at the end what the next message would send.
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";

interface Props {
  id: string;
  turn: number | null;
  onTurn: (turn: number | null) => void;
}

export function Stepper({ id, turn, onTurn }: Props) {
  const last = useStore((state) => state.conversations[id]?.turnCount ?? 0);
  const before = turn === null ? last : turn - 1;
  const after = turn !== null && turn < last ? turn + 1 : null;
  return (
    <nav className="inspector-steps" aria-label="Turns">
      <Step
        label="Previous turn"
        icon="chevron-left"
        run={before < 1 ? null : () => onTurn(before)}
      />
      <span aria-live="polite">{turn === null ? "Next message" : `Turn ${turn} of ${last}`}</span>
      <Step
        label={after === null ? "Next message" : "Next turn"}
        icon="chevron-right"
        run={turn === null ? null : () => onTurn(after)}
      />
    </nav>
  );
}

interface StepProps {
  label: string;
  icon: "chevron-left" | "chevron-right";
  run: (() => void) | null;
}

function Step({ label, icon, run }: StepProps) {
  return (
    <button
      type="button"
      className="button quiet icon"
      aria-label={label}
      title={label}
      disabled={run === null}
      onClick={() => run?.()}
    >
      <Icon name={icon} />
    </button>
  );
}
