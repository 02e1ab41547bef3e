import { useMemo } from "react";
import { useStore } from "./store";

/** Without those that go in a moment, or went. */
export function useShown<T extends { id: string }>(all: readonly T[]): readonly T[] {
  const forgetting = useStore((state) => state.forgetting);
  const forgotten = useStore((state) => state.forgotten);
  return useMemo(() => {
    const hidden = new Set([...forgotten, ...forgetting.flatMap(({ ids }) => ids)]);
    return hidden.size === 0 ? all : all.filter(({ id }) => !hidden.has(id));
  }, [all, forgetting, forgotten]);
}
