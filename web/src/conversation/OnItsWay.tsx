// What stands below a message that the server does not have yet.
import { discard, resend } from "../state/actions";
import type { Outgoing } from "../state/model";
import { fillBox } from "./box";

export function OnItsWay({ outgoing }: { outgoing: Outgoing }) {
  const { state, problem, key } = outgoing;
  if (state === "sending") return null;
  const takeBack = () => fillBox(discard(key));
  if (state === "waiting") {
    return (
      <p className="talk-way" role="status">
        Not sent yet — waiting for the connection. It is kept.
        <button type="button" className="button quiet" onClick={takeBack}>
          Take back
        </button>
      </p>
    );
  }
  return (
    <div className="talk-way wrong" role="alert">
      <p>
        <strong>Not sent.</strong> {problem?.message}{" "}
        <span className="soft">{problem?.remedy}</span>
      </p>
      <button type="button" className="button" onClick={() => resend(key)}>
        Try again
      </button>
      <button type="button" className="button quiet" onClick={takeBack}>
        Take back
      </button>
    </div>
  );
}
