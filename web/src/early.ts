// Before anything is painted: the theme that was chosen, or the system's.
import { applyTheme, chosenTheme } from "./ui/theme";

applyTheme(chosenTheme());
