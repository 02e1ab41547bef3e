// Where in the day its summary was made, and the way up to it.
import { Icon } from "../ui/Icon";
import { scrollerOf } from "../ui/scroller";
import { Time } from "../ui/Time";
import { SUMMARY } from "./Summary";

/** Goes up to the summary, with the focus. */
export function goToSummary(): void {
  const summary = document.getElementById(SUMMARY);
  const scroller = summary && scrollerOf(summary);
  if (scroller) scroller.scrollTop = 0; // it stands above all messages
  summary?.focus({ preventScroll: true });
}

/** `isAbove`: the summary stands just above. */
export function Updated({ at, isAbove = false }: { at: string; isAbove?: boolean }) {
  return (
    <div className="day-updated">
      <div className="talk-when">
        <Time at={at} as="clock" />
      </div>
      <Icon name="notes" size={15} />
      Day summary updated
      {!isAbove && (
        <button type="button" className="button quiet" onClick={goToSummary}>
          See it
        </button>
      )}
    </div>
  );
}
