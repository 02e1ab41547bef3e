// Messages that are not there: they are still being loaded, or could not be.
import type { ReactNode } from "react";
import type { Refused } from "../api/problem";
import { Skeleton } from "../ui/Skeleton";

/** Lines where messages will be. */
export const Waiting = ({ label }: { label: string }) => (
  <div className="talk-transcript talk-row">
    <Skeleton lines={8} label={label} />
  </div>
);

interface Props {
  /** A heading: of which level depends on what stands above. */
  children: ReactNode;
  problem: Refused | null;
  again: () => void;
}

/** Why, and one thing to do. */
export const NotLoaded = ({ children, problem, again }: Props) => (
  <div className="talk-missing">
    {children}
    <p className="soft">
      {problem?.message} {problem?.remedy}
    </p>
    <button type="button" className="button primary" onClick={again}>
      Try again
    </button>
  </div>
);
