// Whose words were found in an exchange with somebody else, and how far they are trusted. Names are
// what they call themselves: text, and nothing more.
import type { Outside } from "../api/shapes";
import { trustOf, whoIs } from "../external/words";
import { Visible } from "../ui/Visible";

export function Whose({ outside }: { outside: Outside }) {
  const { by, sender, trust, claimed } = outside;
  const isTheirs = by === "outsider";
  const trusted = trustOf(trust);
  return (
    <span className="find-whose soft">
      <span>
        {by === "assistant" && "Reply to "}
        {by === "owner" && "Your reply to "}
        <bdi>
          <Visible text={(isTheirs && sender?.trim()) || whoIs(outside)} />
        </bdi>
        {isTheirs && " wrote"}
      </span>
      <span className={`find-trust ${trust}`} title={trusted.about}>
        {trusted.name}
      </span>
      {claimed && (
        <span
          className="find-trust claimed"
          title="The channel cannot say that it was really them."
        >
          not proven
        </span>
      )}
    </span>
  );
}
