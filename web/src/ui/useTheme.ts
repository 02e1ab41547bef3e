import { useSyncExternalStore } from "react";
import { chosenTheme, onTheme, type Theme } from "./theme";

/** The theme that was chosen. */
export const useTheme = (): Theme => useSyncExternalStore(onTheme, chosenTheme);
