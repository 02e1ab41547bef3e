// A row while its name is typed. What is half typed stays until it is saved or cancelled.
import { type FormEvent, useEffect, useRef } from "react";
import {
  endRenaming,
  foundFocus,
  LONGEST_TITLE,
  saveName,
  type Typing,
  typeName,
} from "../state/renaming";
import { Icon } from "../ui/Icon";

interface Props {
  id: string;
  typing: Typing;
  /** The name as it stands. */
  title: string;
  /** Called when it is over, so that the focus can return. */
  onDone: () => void;
}

export function RenameBox({ id, typing, title, onDone }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const { text, isAsked } = typing;
  useEffect(() => {
    if (!isAsked) return;
    box.current?.focus();
    box.current?.select();
    foundFocus(id);
  }, [id, isAsked]);
  const end = () => {
    endRenaming(id);
    onDone();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void saveName(id);
    onDone();
  };
  return (
    <form className="shell-rename" onSubmit={save}>
      <input
        ref={box}
        className="field"
        aria-label={`New name of ${title}`}
        value={text}
        placeholder={title}
        maxLength={LONGEST_TITLE}
        autoComplete="off"
        enterKeyHint="done"
        dir="auto"
        onChange={(event) => typeName(id, event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault(); // the drawer around it stays
          event.stopPropagation();
          end();
        }}
      />
      <button type="submit" className="button quiet icon" aria-label="Save the name">
        <Icon name="check" />
      </button>
      <button
        type="button"
        className="button quiet icon"
        aria-label="Keep the old name"
        onClick={end}
      >
        <Icon name="close" />
      </button>
    </form>
  );
}
