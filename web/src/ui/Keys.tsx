import { shown } from "./keys";
import "./keys.css";

/** Keys to press, as they stand on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="ui-keys">
      {shown(keys)
        .split(" ")
        .map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
    </span>
  );
}
