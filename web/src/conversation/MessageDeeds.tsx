// What can be done with a message, to click on: buttons below it, or on a phone a menu above it.
import { Icon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { deedsFor, type Standing } from "./deeds";
import type { Row } from "./rows";
import { useTalking } from "./talking";

interface Props extends Standing {
  row: Row;
  isReached: boolean;
  hasDetails: boolean;
  onDetails: () => void;
}

/** Tab goes through those of one message only, so that a long conversation can be left. */
export function Deeds({ row, isLast, isLastOwn, isReached, hasDetails, onDetails }: Props) {
  const deeds = deedsFor(row, { isLast, isLastOwn }, useTalking());
  if (!deeds.length) return <div className="talk-deeds" />;
  return (
    <div className="talk-deeds">
      {deeds.map(({ label, icon, key, run }) => (
        <button
          key={label}
          type="button"
          className="button quiet icon"
          tabIndex={isReached ? 0 : -1}
          aria-label={label}
          title={label}
          aria-keyshortcuts={key}
          onClick={run}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
      {row.message.turnNumber > 0 && (
        <button
          type="button"
          className="button quiet icon"
          tabIndex={isReached ? 0 : -1}
          aria-label="Details"
          title="Details: model, tokens, cost"
          aria-expanded={hasDetails}
          onClick={onDetails}
        >
          <Icon name="info" size={16} />
        </button>
      )}
    </div>
  );
}

export function DeedsMenu({ row, isLast, isLastOwn, hasDetails, onDetails }: Props) {
  const deeds = deedsFor(row, { isLast, isLastOwn }, useTalking());
  if (!deeds.length) return null;
  const items: MenuItem[] = deeds.map(({ label, icon, run }) => ({
    label,
    icon,
    run,
    danger: icon === "trash",
  }));
  if (row.message.turnNumber > 0) {
    const label = hasDetails ? "Hide details" : "Details";
    items.splice(-1, 0, { label, icon: "info", run: onDetails }); // what erases stands last
  }
  return <Menu label="What can be done" items={items} />;
}
