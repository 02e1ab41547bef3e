// The title of a conversation: a click turns it into a field.
import { useEffect, useRef } from "react";
import {
  beginRenaming,
  endRenaming,
  foundFocus,
  LONGEST_TITLE,
  saveName,
  type Typing,
  typeName,
  useTyping,
} from "../state/renaming";
import { Visible } from "../ui/Visible";

interface Props {
  id: string;
  title: string;
}

export function Title({ id, title }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isByKey = useRef(false);
  const typing = useTyping(id, "title");
  const isTyping = typing !== null;
  // Who has ended it by a key goes on from the title.
  useEffect(() => {
    if (!isTyping && isByKey.current) heading.current?.focus();
    isByKey.current = false;
  }, [isTyping]);
  if (typing) {
    const onKey = () => {
      isByKey.current = true;
    };
    return <TitleField id={id} title={title} typing={typing} onKey={onKey} />;
  }
  return (
    <h1 ref={heading} className="header-title" tabIndex={-1}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: F2 and "Rename" are its keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a button would be called as the conversation is, be it "Send". */}
      <bdi title="Rename (F2)" onClick={() => beginRenaming(id, "title")}>
        <Visible text={title} />
      </bdi>
    </h1>
  );
}

interface FieldProps extends Props {
  typing: Typing;
  /** Called before a key ends it. */
  onKey: () => void;
}

function TitleField({ id, title, typing, onKey }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // One that is found half typed does not take the focus from where somebody writes.
  useEffect(() => {
    if (!typing.isAsked) return;
    field.current?.focus();
    field.current?.select();
    foundFocus(id);
  }, [id, typing.isAsked]);
  return (
    <h1 className="header-title">
      <input
        ref={field}
        className="field"
        aria-label="Title"
        value={typing.text}
        placeholder={title}
        maxLength={LONGEST_TITLE}
        autoComplete="off"
        enterKeyHint="done"
        dir="auto"
        onChange={(event) => typeName(id, event.target.value)}
        onBlur={(event) => {
          // Who looks at another window, or reloads, has not finished.
          if (document.activeElement !== event.currentTarget) void saveName(id);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onKey();
          if (event.key === "Enter") event.currentTarget.blur();
          else endRenaming(id);
        }}
      />
    </h1>
  );
}
