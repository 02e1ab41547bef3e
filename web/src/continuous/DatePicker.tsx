// A date to go to. Whoever picks it from the calendar of the browser goes there at once; whoever
// types it, with Enter or on leaving the field.
import { useRef } from "react";
import { isDay } from "./address";

interface Props {
  /** The day that is shown. */
  day: string;
  today: string;
  onPick: (day: string) => void;
}

export function DatePicker({ day, today, onPick }: Props) {
  const isTyped = useRef(false);
  const pick = (wanted: string) => {
    isTyped.current = false;
    if (isDay(wanted) && wanted !== day && wanted <= today) onPick(wanted);
  };
  return (
    <input
      key={day}
      type="date"
      className="field day-date"
      aria-label="Pick a date"
      defaultValue={day}
      max={today}
      onChange={(event) => isTyped.current || pick(event.target.value)}
      onBlur={(event) => isTyped.current && pick(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") pick(event.currentTarget.value);
        else if (event.key !== "Tab") isTyped.current = true;
      }}
    />
  );
}
