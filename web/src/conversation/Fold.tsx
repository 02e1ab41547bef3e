// Something that is there when it is wanted. What is inside is made only then.
import { type ReactNode, useState } from "react";
import { Icon, type IconName } from "../ui/Icon";

interface Props {
  summary: ReactNode;
  icon: IconName;
  children: () => ReactNode;
}

export function Fold({ summary, icon, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="talk-fold"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name={icon} size={16} />
        <span>{summary}</span>
      </summary>
      {isOpen && <div className="talk-fold-inside">{children()}</div>}
    </details>
  );
}
