// How many exchanges need the owner: something is to be seen, or a draft waits for their word.
import { address } from "../api/client";
import type { External, ExternalPage } from "../api/shapes";
import { useFetched } from "../api/useFetched";
import { onExternals } from "../state/externals";
import { useChanges } from "../state/useChanges";
import { useShown } from "../state/useShown";

export const PATH = "/api/external";
/** Those that need somebody are among the latest. */
const LATEST = 200;
const NONE: readonly External[] = [];

export const needsOwner = ({ escalated, drafts }: External): boolean => escalated || drafts > 0;

export function useNeeding(): number {
  const latest = address(PATH, { limit: LATEST });
  const { data } = useFetched<ExternalPage>(latest, String(useChanges(onExternals)));
  return useShown(data?.external ?? NONE).filter(needsOwner).length;
}
