// A reply that waits for the owner's word: sent as it is, with other words, or not at all.
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useDoing } from "../settings/asking";
import { useMay } from "../settings/may";
import { Time } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { Visible } from "../ui/Visible";
import { rejectDraft, sendDraft } from "./deeds";
import { ITEM } from "./Said";
import type { External, Withheld as Kept, Draft as Written } from "./shapes";
import { Withheld } from "./Withheld";
import { Writing } from "./Writing";
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
        <Writing
          form="Edit the draft"
          name="What is sent instead"
          action="Send this"
          place={draft.id}
          before={draft.text}
          rows={4}
          send={(text) => sendDraft(external, draft, text)}
          onDone={() => setEditing(false)}
        />
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
