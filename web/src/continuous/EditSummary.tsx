// A day's summary in the owner's own words. What is half typed is there again after a reload.
import { useEffect, useRef, useState } from "react";
import { put } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { DayView } from "../api/shapes";
import { draftOf, keepDraft } from "../state/drafts";
import { dayPath } from "./loading";

const nameOf = (day: string): string => `summary.${day}`;

export const hasDraft = (day: string): boolean => draftOf(nameOf(day)) !== "";

interface Props {
  view: DayView;
  onSaved: (view: DayView) => void;
  onClose: () => void;
}

const EMPTY = "## Summary\n\n## Goals\n\n## Decisions\n\n## Open loops\n\n## Next steps\n";

export function EditSummary({ view, onSaved, onClose }: Props) {
  const { day, summaryMarkdown, updatedAt } = view;
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => draftOf(nameOf(day)) || summaryMarkdown || EMPTY);
  const [begun] = useState(updatedAt);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Refused | null>(null);
  useEffect(() => box.current?.focus(), []);

  const cancel = () => {
    keepDraft(nameOf(day), "");
    onClose();
  };
  const save = async () => {
    if (isSaving) return;
    setSaving(true);
    setProblem(null);
    try {
      const saved = await put<DayView>(`${dayPath(day)}/summary`, { summaryMarkdown: text });
      keepDraft(nameOf(day), "");
      onSaved(saved);
    } catch (error) {
      setProblem(asRefused(error));
      setSaving(false);
    }
  };
  return (
    <form
      className="day-edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        ref={box}
        className="field"
        aria-label="Summary as Markdown"
        dir="auto"
        rows={12}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          keepDraft(nameOf(day), event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.preventDefault();
            cancel();
          }
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void save();
        }}
      />
      {begun !== updatedAt && (
        <p className="soft">
          The summary was made again while you wrote. What you save takes its place.
        </p>
      )}
      {problem && (
        <p className="talk-wrong" role="alert">
          {problem.message} {problem.remedy}
        </p>
      )}
      <p className="talk-edit-actions">
        <span className="soft">
          Your lines stay when it is made again; what you take out stays out.
        </span>
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isSaving}>
          Save
        </button>
      </p>
    </form>
  );
}
