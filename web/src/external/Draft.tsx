// A reply that waits for the owner's word: sent as it is, with other words, or not at all.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { COMPOSING } from "../conversation/words";
import { useDoing } from "../settings/asking";
import { useMay } from "../settings/may";
import { draftOf, keepDraft } from "../state/drafts";
import { shown } from "../ui/keys";
import { Time } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { Visible } from "../ui/Visible";
import { rejectDraft, sendDraft } from "./deeds";
import { ITEM } from "./Said";
import type { External, Withheld as Kept, Draft as Written } from "./shapes";
import { Withheld } from "./Withheld";
import { whoIs } from "./words";

interface Props {
  draft: Written;
  external: External;
  withheld: Kept | undefined;
  isReached: boolean;
  onReach: (id: string) => void;
}

export function Draft({ draft, external, withheld, isReached, onReach }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { isBusy, problem, run } = useDoing();
  const mayDecide = useMay("write");
  const article = useRef<HTMLElement>(null);
  const who = whoIs(external);
  const wasEditing = useRef(false);
  // Whoever leaves the box goes on from the draft.
  useEffect(() => {
    if (wasEditing.current && !isEditing) article.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const approve = () => {
    if (!isBusy) void run(() => sendDraft(external, draft));
  };
  const deeds: Record<string, () => void> = {
    a: approve,
    e: () => setEditing(true),
    r: () => rejectDraft(external, draft),
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || !mayDecide || isEditing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const deed = deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  };
  const button = (name: string, key: string, kind = "") => (
    <button
      type="button"
      className={`button${kind}`}
      title={`${name} (${key})`}
      aria-label={`${name} the reply to ${who}`}
      aria-keyshortcuts={key}
      disabled={isBusy}
      onClick={deeds[key]}
    >
      {name}
    </button>
  );
  return (
    <article
      ref={article}
      id={draft.id}
      className={`${ITEM} ext-draft`}
      aria-label={`Draft to ${who}`}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(draft.id)}
      onKeyDown={press}
    >
      <p className="ext-by">
        Draft, not sent
        {draft.by && (
          <span className="ext-model soft">
            by <Visible text={draft.by} />
          </span>
        )}
        <span className="ext-when soft">
          <Time at={draft.created} />
        </span>
      </p>
      {isEditing ? (
        <Edit external={external} draft={draft} onDone={() => setEditing(false)} />
      ) : (
        <>
          <div className="ext-text" dir="auto">
            <Visible text={draft.text} />
          </div>
          <Trouble problem={problem} />
          {mayDecide && (
            <div className="ext-deeds">
              {button("Approve", "a", " primary")}
              {button("Edit", "e")}
              {button("Reject", "r")}
              <span className="ext-hint soft">
                or <code>/approve {draft.code}</code> in any conversation
              </span>
            </div>
          )}
        </>
      )}
      {withheld && <Withheld withheld={withheld} />}
    </article>
  );
}

interface EditProps {
  external: External;
  draft: Written;
  onDone: () => void;
}

/** What is half typed is there again when one comes back to it. */
function Edit({ external, draft, onDone }: EditProps) {
  const [text, setText] = useState(() => draftOf(draft.id) || draft.text);
  const { isBusy, problem, run } = useDoing();
  const box = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const isBlank = !/\S/.test(text);
  useEffect(() => {
    const area = box.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const write = (words: string) => {
    setText(words);
    keepDraft(draft.id, words);
  };
  const leave = () => {
    keepDraft(draft.id, "");
    onDone();
  };
  const send = async () => {
    if (isBlank || isBusy) return;
    if (await run(() => sendDraft(external, draft, text))) leave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    event.stopPropagation(); // keys of the list around it are not meant here
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <form
      className="ext-form"
      aria-label="Edit the draft"
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={box}
        className="field ext-area"
        aria-label="What is sent instead"
        aria-describedby={hint}
        dir="auto"
        rows={4}
        value={text}
        onChange={(event) => write(event.target.value)}
      />
      <Trouble problem={problem} />
      <div className="ext-deeds">
        <button type="submit" className="button primary" disabled={isBlank || isBusy}>
          Send this
        </button>
        <button type="button" className="button" onClick={leave}>
          Cancel
        </button>
        <span id={hint} className="ext-hint soft">
          {shown("mod+enter")} sends it
        </span>
      </div>
    </form>
  );
}
