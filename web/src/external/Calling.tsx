// What the owner has to see. Whoever opens the exchange has seen it; what comes while it is open
// waits until they say so.
import { useEffect, useRef, useState } from "react";
import { useDoing } from "../settings/asking";
import { useMay } from "../settings/may";
import { Icon } from "../ui/Icon";
import { Trouble } from "../ui/Trouble";
import { change } from "./deeds";
import type { External } from "./shapes";

interface Props {
  external: External;
  /** Whether the owner wrote last. */
  isAnswered: boolean;
  /** Whether an answer can be sent. */
  isReachable: boolean;
}

export function Calling({ external, isAnswered, isReachable }: Props) {
  const { id, escalated, drafts } = external;
  const { isBusy, problem, run } = useDoing();
  const maySay = useMay("write");
  const [wasCalled, setCalled] = useState(escalated);
  const isOpening = useRef(true);
  const see = () => run(async () => void (await change(id, { seen: true })));
  const latest = useRef(see);
  latest.current = see;
  useEffect(() => {
    if (escalated) setCalled(true);
    if (escalated && maySay && isOpening.current) void latest.current();
    isOpening.current = false;
  }, [escalated, maySay]);
  if (!wasCalled || (isAnswered && drafts === 0)) return null;
  return (
    <div className="ext-calling" role="note">
      <Icon name={escalated ? "warning" : "check"} />
      <p>
        {drafts > 0
          ? "A reply is drafted, and waits for your word."
          : "Nobody has answered: this was left to you."}{" "}
        {drafts === 0 &&
          maySay &&
          `Below you can ${isReachable ? "answer, and " : ""}decide what is done when they write again. `}
        {!escalated && <span className="soft">You have seen it.</span>}
      </p>
      {escalated && maySay && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void see()}>
          I have seen it
        </button>
      )}
      <Trouble problem={problem} />
    </div>
  );
}
