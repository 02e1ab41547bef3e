// A box for words that are sent to somebody. What is half typed is there again when one comes back.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { COMPOSING } from "../conversation/words";
import { useDoing } from "../settings/asking";
import { draftOf, keepDraft } from "../state/drafts";
import { shown } from "../ui/keys";
import { Trouble } from "../ui/Trouble";

interface Props {
  /** What the form is called. */
  form: string;
  /** What the box is called. */
  name: string;
  /** What the button is called. */
  action: string;
  /** Where what is typed is kept. */
  place: string;
  /** What stands there before anything is typed. */
  before?: string;
  rows: number;
  /** Throws `Refused`. */
  send: (text: string) => Promise<void>;
  /** Whoever can leave it comes there to write, and is done when it is sent. */
  onDone?: () => void;
}

export function Writing({ form, name, action, place, before = "", rows, send, onDone }: Props) {
  const [text, setText] = useState(() => draftOf(place) || before);
  const { isBusy, problem, run } = useDoing();
  const box = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const isBlank = !/\S/.test(text);
  const isOpened = useRef(onDone !== undefined);
  useEffect(() => {
    const area = box.current;
    if (!area || !isOpened.current) return;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const write = (words: string) => {
    setText(words);
    keepDraft(place, words);
  };
  const leave = () => {
    keepDraft(place, "");
    if (onDone) onDone();
    else setText("");
  };
  const go = async () => {
    if (isBlank || isBusy) return;
    if (await run(() => send(text))) leave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    event.stopPropagation(); // keys of the list around it are not meant here
    if (event.key === "Escape" && onDone) {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void go();
    }
  };
  return (
    <form
      className="ext-form"
      aria-label={form}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <textarea
        ref={box}
        className="field ext-area"
        aria-label={name}
        aria-describedby={hint}
        dir="auto"
        rows={rows}
        value={text}
        readOnly={isBusy}
        onChange={(event) => write(event.target.value)}
      />
      <Trouble problem={problem} />
      <div className="ext-deeds">
        <button type="submit" className="button primary" disabled={isBlank || isBusy}>
          {action}
        </button>
        {onDone && (
          <button type="button" className="button" onClick={leave}>
            Cancel
          </button>
        )}
        <span id={hint} className="ext-hint soft">
          {shown("mod+enter")} sends it
        </span>
      </div>
    </form>
  );
}
