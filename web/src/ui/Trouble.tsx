// What went wrong, beside what it is about, and what to do.
import type { Refused } from "../api/problem";
import { Words } from "./Words";
import "./trouble.css";

export function Trouble({ problem, again }: { problem: Refused | null; again?: () => void }) {
  if (!problem) return null;
  return (
    <div className="ui-trouble" role="alert">
      <p>
        {problem.message} <Words text={problem.remedy} />
      </p>
      {again && (
        <button type="button" className="button" onClick={again}>
          Ask again
        </button>
      )}
    </div>
  );
}
