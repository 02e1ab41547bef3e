// What a memory says, and of which type it is, to be written or said otherwise. What is half typed
// is there again when one comes back to it.
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { COMPOSING } from "../conversation/words";
import { useDoing } from "../settings/asking";
import { draftOf, keepDraft } from "../state/drafts";
import { counted } from "../ui/numbers";
import { Trouble } from "../ui/Trouble";
import { type MemoryType, TYPES } from "./shapes";
import { TYPE_NAMES } from "./words";

export interface Written {
  content: string;
  type: MemoryType;
  category: string;
  pinned: boolean;
  /** A day, or nothing. */
  since: string;
}

interface Props {
  label: string;
  first: Written;
  /** What the button says. */
  save: string;
  /** Under which name what is typed is kept. */
  draft?: string;
  /** Fields that only some need. */
  hasPin?: boolean;
  hasSince?: boolean;
  categories?: readonly string[];
  children?: ReactNode;
  /** Throws `Refused`, which is told in the form. */
  onSave: (written: Written) => Promise<void>;
  onCancel: () => void;
}

const LONGEST = 2_000;

export function Form({ label, first, save, draft, onSave, onCancel, children, ...props }: Props) {
  const [written, setWritten] = useState<Written>(() => ({
    ...first,
    content: (draft && draftOf(draft)) || first.content,
  }));
  const box = useRef<HTMLTextAreaElement>(null);
  const { isBusy, problem, run } = useDoing();
  const isBlank = !/\S/.test(written.content);
  const about = useId();
  // As the server counts: an emoji is one character.
  const over = [...written.content.trim()].length - LONGEST;
  useEffect(() => {
    const area = box.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const change = (part: Partial<Written>) => {
    setWritten((before) => ({ ...before, ...part }));
    if (draft && part.content !== undefined) keepDraft(draft, part.content);
  };
  const leave = () => {
    if (draft) keepDraft(draft, "");
    onCancel();
  };
  const submit = async () => {
    if (isBlank || isBusy || over > 0) return;
    const content = written.content.trim();
    await run(async () => {
      await onSave({ ...written, content, category: written.category.trim() });
      if (draft) keepDraft(draft, "");
    });
  };
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    // Keys of the list around it are not meant here.
    event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && event.target === box.current && !event.shiftKey) {
      event.preventDefault();
      void submit();
    }
  };
  return (
    <form
      className="mem-form"
      aria-label={label}
      onKeyDown={press}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={box}
        data-first
        className="field mem-area"
        aria-label="What to remember"
        placeholder="I am allergic to walnuts."
        dir="auto"
        rows={2}
        aria-invalid={over > 0 || undefined}
        aria-describedby={over > 0 ? about : undefined}
        value={written.content}
        onChange={(event) => change({ content: event.target.value })}
      />
      {over > 0 && (
        <p id={about} className="mem-over" role="status">
          A memory has at most {counted(LONGEST, "character")}: {counted(over, "character")} too
          many.
        </p>
      )}
      <div className="mem-fields">
        <label className="mem-field">
          <span className="soft">Type</span>
          <select
            className="field"
            value={written.type}
            onChange={(event) => change({ type: event.target.value as MemoryType })}
          >
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {TYPE_NAMES[type].one}
              </option>
            ))}
          </select>
        </label>
        <label className="mem-field">
          <span className="soft">Category</span>
          <input
            className="field"
            placeholder="none"
            maxLength={100}
            list={props.categories?.length ? "mem-categories" : undefined}
            value={written.category}
            onChange={(event) => change({ category: event.target.value })}
          />
        </label>
        {props.hasSince && (
          <label className="mem-field">
            <span className="soft">True since</span>
            <input
              type="date"
              className="field"
              value={written.since}
              onChange={(event) => change({ since: event.target.value })}
            />
          </label>
        )}
        {props.hasPin && (
          <label className="mem-check">
            <input
              type="checkbox"
              checked={written.pinned}
              onChange={(event) => change({ pinned: event.target.checked })}
            />
            Pin: always tell the model
          </label>
        )}
      </div>
      {props.categories && props.categories.length > 0 && (
        <datalist id="mem-categories">
          {props.categories.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {children}
      <Trouble problem={problem} />
      <div className="mem-form-actions">
        <button type="button" className="button" onClick={leave}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isBlank || isBusy || over > 0}>
          {save}
        </button>
      </div>
    </form>
  );
}
