// The last own message, said otherwise, in its place. What is half typed is there again when one
// comes back to it, after a reload too.
import { useEffect, useRef, useState } from "react";
import type { Message } from "../api/shapes";
import { editMessage } from "../state/actions";
import { draftOf, keepDraft } from "../state/drafts";
import { focusBox } from "./box";
import { useTalking } from "./talking";
import { COMPOSING, isTooLong } from "./words";

export function EditBox({ message }: { message: Message }) {
  const { id, edit } = useTalking();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => draftOf(message.id) || message.content);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
  const isBlank = !/\S/.test(text);
  const tooLong = isTooLong(text);
  const leave = () => {
    edit(null);
    focusBox();
  };
  const save = async () => {
    if (isBlank || tooLong || isSaving) return;
    setSaving(true);
    const isSaved = text === message.content || (await editMessage(id, message.id, text));
    setSaving(false);
    if (!isSaved) return;
    keepDraft(message.id, "");
    leave();
  };
  return (
    <form
      className="talk-edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={box}
        className="talk-area"
        aria-label="Edited text"
        dir="auto"
        rows={2}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          keepDraft(message.id, event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
          if (event.key === "Escape") leave();
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          save();
        }}
      />
      {tooLong && <p className="talk-wrong">A message can hold 1 MiB. Take something out.</p>}
      <p className="talk-edit-actions">
        <span className="soft">The reply is made again.</span>
        <button type="button" className="button" onClick={leave}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isBlank || tooLong || isSaving}>
          Save
        </button>
      </p>
    </form>
  );
}
