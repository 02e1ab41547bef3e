// What a certain message would make the model see: earlier rounds are looked for by its words.
import { useId, useState } from "react";
import { draftOf } from "../state/drafts";

interface Props {
  id: string;
  /** The message that is shown now; empty without one. */
  shown: string;
  onShow: (message: string) => void;
}

/** It goes into an address, which servers do not take at any length. */
const LONGEST = 4000;

export function Preview({ id, shown, onShow }: Props) {
  // What stands in the box below the conversation is likely meant.
  const [text, setText] = useState(() => draftOf(id).slice(0, LONGEST));
  const field = useId();
  return (
    <form
      className="inspector-preview"
      onSubmit={(event) => {
        event.preventDefault();
        onShow(text.trim());
      }}
    >
      <label htmlFor={field}>With a message you might send</label>
      <span className="inspector-preview-line">
        <textarea
          id={field}
          className="field"
          rows={1}
          maxLength={LONGEST}
          value={text}
          placeholder="Without one, the last message counts"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button" disabled={text.trim() === shown}>
          Show
        </button>
      </span>
    </form>
  );
}
