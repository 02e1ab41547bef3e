// Asking the server for memories.
import { address } from "../api/client";
import { type Paged, usePages } from "../api/usePages";
import { onMemories } from "../state/actions";
import { useChanges } from "../state/useChanges";
import type { Memory, MemoryPage } from "./shapes";
import { parametersOf, type Wanted } from "./wanted";

export const PATH = "/api/memories";
const ON_A_PAGE = 100;

/** A number that grows whenever memories may have changed. */
export const useVersion = (): number => useChanges(onMemories);

const memoriesOf = ({ memories }: MemoryPage): readonly Memory[] => memories;

export function useMemories(wanted: Wanted): Paged<Memory> {
  const key = address(PATH, { ...parametersOf(wanted), limit: ON_A_PAGE });
  return usePages(key, useVersion(), memoriesOf);
}
