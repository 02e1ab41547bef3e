import { useSyncExternalStore } from "react";

/** Whether a media query is true now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** A phone, or a window as narrow: the list is then a drawer. */
export const useIsNarrow = (): boolean => useMedia("(max-width: 48rem)");
