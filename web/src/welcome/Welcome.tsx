// What a conversation without messages shows above the box.
import { useStore } from "../state/store";
import { Greeting } from "./Greeting";
import { Suggestions } from "./Suggestions";
import { FIRST, NEXT } from "./suggestions";
import "./welcome.css";

/** An empty home is greeted and told what is stored where; a used one only gets a line. `fill`
 * puts words into the box and the cursor behind them. */
export function Welcome({ fill }: { fill: (text: string) => void }) {
  const isListed = useStore((state) => state.isListed);
  const isUsed = useStore(({ listed, listCursor }) => listed.length > 0 || listCursor !== null);
  // Before the list has come nobody knows whether this home is new: nothing flashes by.
  if (!isListed) return null;
  return (
    <div className="welcome">
      {isUsed ? <h2 className="welcome-small">What is on your mind?</h2> : <Greeting />}
      <Suggestions suggestions={isUsed ? NEXT : FIRST} fill={fill} />
    </div>
  );
}
