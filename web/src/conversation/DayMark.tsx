// Between the messages of two days.
import { useMinute, useZone } from "../ui/Time";
import { dayWords, fullDay } from "../ui/times";

export function DayMark({ day }: { day: string }) {
  const words = dayWords(day, useMinute(), useZone());
  return (
    <h2 className="talk-day">
      <time dateTime={day} title={fullDay(day)}>
        {words.charAt(0).toUpperCase() + words.slice(1)}
      </time>
    </h2>
  );
}
