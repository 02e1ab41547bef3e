// The messages of a conversation, with a mark between days.
import { useCallback } from "react";
import { useZone } from "../ui/Time";
import { dayOf } from "../ui/times";
import type { Arrival } from "./arrival";
import { DayMark } from "./DayMark";
import type { Row } from "./rows";
import { Timeline } from "./Timeline";
import { useRows } from "./useRows";

interface Props {
  id: string;
  arrival: Arrival;
  /** What the address names has been fetched, if there is such a thing. */
  isFetched: boolean;
}

export function Transcript({ id, arrival, isFetched }: Props) {
  const zone = useZone();
  const above = useCallback(
    (row: Row, before: Row | undefined) => {
      const day = dayOf(row.message.timestamp, zone);
      const isSame = before !== undefined && dayOf(before.message.timestamp, zone) === day;
      return isSame ? null : <DayMark day={day} />;
    },
    [zone],
  );
  return (
    <Timeline id={id} arrival={arrival} isFetched={isFetched} above={above} {...useRows(id)} />
  );
}
