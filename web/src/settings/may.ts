import { useStore } from "../state/store";

/** Whether whoever is signed in may do what needs this scope. Unknown counts as yes: the server
 * refuses what may not be. */
export const useMay = (scope: string): boolean =>
  useStore(({ me }) => me === null || me.scopes.includes(scope));
