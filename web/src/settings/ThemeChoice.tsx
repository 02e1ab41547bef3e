import { chooseTheme, type Theme } from "../ui/theme";
import { useTheme } from "../ui/useTheme";
import { Section } from "./Section";

const THEMES: readonly { theme: Theme; label: string }[] = [
  { theme: "system", label: "As the system" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
];

export function ThemeChoice() {
  const chosen = useTheme();
  return (
    <Section title="Appearance">
      <fieldset className="settings-choices">
        <legend className="only-heard">Theme</legend>
        {THEMES.map(({ theme, label }) => (
          <label key={theme} className="settings-choice">
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => chooseTheme(theme)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="soft">Kept in this browser.</p>
    </Section>
  );
}
