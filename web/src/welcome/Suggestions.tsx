import type { Suggestion } from "./suggestions";

interface Props {
  suggestions: readonly Suggestion[];
  fill: (text: string) => void;
}

export function Suggestions({ suggestions, fill }: Props) {
  return (
    <ul className="welcome-suggestions" aria-label="Words to begin with">
      {suggestions.map(({ label, text }) => (
        <li key={label}>
          <button type="button" className="button" onClick={() => fill(text)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
