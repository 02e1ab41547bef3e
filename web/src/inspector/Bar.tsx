// A bar of what each part costs. Each piece says its number and leads to what is in it.
import { count, counted, percent } from "../ui/numbers";
import { type PartName, type Slice, words } from "./parts";

interface Props {
  label: string;
  slices: readonly Slice[];
  onOpen: (name: PartName) => void;
}

export function Bar({ label, slices, onOpen }: Props) {
  const total = slices.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = (tokens: number) => (total ? tokens / total : 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set is for forms.
    <div className="inspector-bar" role="group" aria-label={label}>
      {slices.map(({ name, tokens }) => {
        const said = `${name === "free" ? "Free" : words(name).name}: ${counted(tokens, "token")}, ${percent(share(tokens))}`;
        const style = { flexGrow: tokens };
        if (name === "free") {
          return (
            <span key={name} className="free" style={style} title={said}>
              <span className="only-heard">{said}</span>
            </span>
          );
        }
        return (
          <button
            key={name}
            type="button"
            data-part={name}
            style={style}
            title={said}
            aria-label={said}
            onClick={() => onOpen(name)}
          >
            {share(tokens) > 0.12 && <span aria-hidden="true">{count(tokens)}</span>}
          </button>
        );
      })}
    </div>
  );
}
