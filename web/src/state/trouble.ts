// What went wrong with something that somebody did, told in a corner.
import { asRefused } from "../api/problem";
import { signedOut } from "./line";
import { tell, tellProblem } from "./notices";

/** Others were quicker, or it cannot be done there: nothing is broken. */
const CALM = new Set([409, 410, 412, 429]);

export function notice(error: unknown): void {
  const problem = asRefused(error);
  if (problem.status === 401) signedOut();
  else if (CALM.has(problem.status)) tell(problem.message, { remedy: problem.remedy });
  else tellProblem(problem);
}
