// What the model does not see, and why.
import type { ContextPacket } from "../api/shapes";
import { counted } from "../ui/numbers";
import { words } from "./parts";

export function LeftOutList({ packet }: { packet: ContextPacket }) {
  const { leftOut, truncatedMessages } = packet;
  return (
    <section className="inspector-left">
      <h3>Left out</h3>
      {leftOut.length === 0 && truncatedMessages === 0 && (
        <p className="soft">Nothing: all of it fits.</p>
      )}
      {truncatedMessages > 0 && (
        <p>
          {counted(truncatedMessages, "earlier message")} {truncatedMessages === 1 ? "is" : "are"}{" "}
          not among the messages.
        </p>
      )}
      {leftOut.length > 0 && (
        <ul>
          {leftOut.map(({ section, reason }) => (
            <li key={`${section} ${reason}`}>
              <b>{words(section).name}:</b> {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
