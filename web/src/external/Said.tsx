// One message of an exchange. All of it is shown as text: whoever wrote it may mean anything by it.
import type { Message } from "../api/shapes";
import { Claimed } from "../conversation/Article";
import { Plain } from "../conversation/Body";
import { Delivery } from "../conversation/Delivery";
import { externalsChanged } from "../state/actions";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";
import type { External, Withheld as Kept } from "./shapes";
import { Withheld } from "./Withheld";
import { isTheirs, saidBy } from "./words";

export const ITEM = "ext-item";

interface Props {
  message: Message;
  external: External;
  withheld: Kept | undefined;
  /** Whether the address names it. */
  isFound: boolean;
  isReached: boolean;
  onReach: (id: string) => void;
}

export function Said({ message, external, withheld, isFound, isReached, onReach }: Props) {
  const { id, author, content, timestamp, model, status } = message;
  const who = saidBy(message, external);
  return (
    <article
      id={id}
      className={`${ITEM} ext-said ${isTheirs(message) ? "theirs" : "ours"}${isFound ? " found" : ""}`}
      aria-label={who}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(id)}
    >
      <p className="ext-by">
        <bdi>
          <Visible text={who} />
        </bdi>
        {isTheirs(message) && " wrote"}
        {author?.grade === "claimed" && <Claimed />}
        {model && <span className="ext-model soft">by {model}</span>}
        <span className="ext-when soft">
          <Time at={timestamp} />
        </span>
      </p>
      {status === "redacted" ? (
        <p className="soft">This message has been erased.</p>
      ) : (
        <Plain text={content} />
      )}
      <Delivery message={message} onAgain={externalsChanged} />
      {withheld && <Withheld withheld={withheld} />}
    </article>
  );
}
