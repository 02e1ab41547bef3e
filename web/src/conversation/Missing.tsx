// A conversation that cannot be shown: why, and one thing to do.
import { Link } from "wouter";
import type { Refused } from "../api/problem";
import { NotLoaded } from "./Waiting";

const GONE = new Set([400, 404, 410]);

export function Missing({ problem, onRetry }: { problem: Refused; onRetry: () => void }) {
  if (GONE.has(problem.status)) {
    return (
      <div className="talk-missing">
        <h1>This conversation is not here</h1>
        <p className="soft">It may have been erased.</p>
        <Link className="button primary" href="/?new">
          Begin a new one
        </Link>
      </div>
    );
  }
  return (
    <NotLoaded problem={problem} again={onRetry}>
      <h1>This conversation could not be loaded</h1>
    </NotLoaded>
  );
}
