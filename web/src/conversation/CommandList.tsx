// What can be commanded, while one types it.
import type { Command } from "./slash";

interface Props {
  commands: readonly Command[];
  chosen: number;
  onTake: (command: Command) => void;
}

export function CommandList({ commands, chosen, onTake }: Props) {
  return (
    <div id="talk-commands" className="talk-commands" role="listbox" aria-label="Commands">
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys
        <div
          key={command.name}
          id={`talk-command-${index}`}
          role="option"
          aria-selected={index === chosen}
          // The focus stays in the box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(command)}
        >
          <code>{command.usage}</code> <span className="soft">{command.what}</span>
        </div>
      ))}
    </div>
  );
}
