// What a reply offers: values that fill the box, and actions that are carried out.
import type { Message } from "../api/shapes";
import { Visible } from "../ui/Visible";
import { fillBox } from "./box";
import { actionsOf, valuesOf } from "./suggestions";
import { useTalking } from "./talking";

export function Offers({ message, isLast }: { message: Message; isLast: boolean }) {
  const { canWrite, regenerate, say } = useTalking();
  if (!canWrite) return null;
  const values = valuesOf(message);
  // Only the last reply can be made again.
  const actions = actionsOf(message).filter((one) => one.kind === "say" || isLast);
  if (values.length + actions.length === 0) return null;
  return (
    <div className="talk-offers">
      {values.map(({ label, text }) => (
        <button
          key={`value ${text}`}
          type="button"
          className="button talk-value"
          title="Puts this into the box"
          onClick={() => fillBox(text)}
        >
          <Visible text={label} />
        </button>
      ))}
      {actions.map((action) => (
        <button
          key={`${action.kind} ${action.label}`}
          type="button"
          className="button"
          onClick={() => (action.kind === "say" ? say(action.text) : regenerate(message))}
        >
          <Visible text={action.label} />
        </button>
      ))}
    </div>
  );
}
