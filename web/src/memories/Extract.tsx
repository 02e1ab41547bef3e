// Learning from a conversation: first what would be added, then adding it.
import { useEffect, useState } from "react";
import { asRefused, type Refused } from "../api/problem";
import type { ConversationMeta } from "../api/shapes";
import { useDoing } from "../settings/asking";
import { tell } from "../state/notices";
import { useStore } from "../state/store";
import { Dialog } from "../ui/Dialog";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { Trouble } from "../ui/Trouble";
import { Visible } from "../ui/Visible";
import { Choose, useName } from "./Choose";
import { extract, previewExtraction } from "./deeds";
import type { Extracted, Memory } from "./shapes";
import { noter, sureness, surenessExactly, typeName } from "./words";

interface Props {
  /** null: it is chosen first. */
  conversationId: string | null;
  onClose: () => void;
}

export function Extract({ conversationId, onClose }: Props) {
  const [chosen, choose] = useState<ConversationMeta | null>(null);
  const id = chosen?.id ?? conversationId;
  const known = useStore((state) => (id === null ? undefined : state.conversations[id]));
  const name = useName(id, chosen ?? known);
  const { preview, problem } = usePreview(id);
  const { isBusy, problem: refused, run } = useDoing();
  const many = preview ? preview.added.length + preview.waiting.length : 0;
  const isNew = preview !== null && many + preview.merged.length > 0;
  const add = () =>
    run(async () => {
      if (id === null) return;
      const done = await extract(id);
      onClose();
      tell(receipt(done));
    });
  return (
    <Dialog
      title={id === null ? "Extract memories from a conversation" : "Extract memories"}
      onClose={onClose}
      actions={
        <>
          {conversationId === null && id !== null && (
            <button type="button" className="button" onClick={() => choose(null)}>
              Another conversation
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            {preview && !isNew ? "Close" : "Cancel"}
          </button>
          {preview && isNew && (
            <button
              type="button"
              className="button primary"
              disabled={isBusy}
              onClick={() => void add()}
            >
              {many > 0 ? `Add ${counted(many, "memory", "memories")}` : "Merge what is known"}
            </button>
          )}
        </>
      }
    >
      {id === null ? <Choose onChoose={choose} /> : <p className="ui-dialog-subject">{name}</p>}
      <Trouble problem={problem ?? refused} />
      {id !== null && !preview && !problem && (
        <Skeleton lines={4} label="Reading the conversation" />
      )}
      {preview && <Preview preview={preview} />}
    </Dialog>
  );
}

function usePreview(id: string | null) {
  const [held, setHeld] = useState<{ id: string; preview: Extracted } | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  useEffect(() => {
    setProblem(null);
    if (id === null) return;
    let isWanted = true;
    previewExtraction(id).then(
      (preview) => isWanted && setHeld({ id, preview }),
      (error) => isWanted && setProblem(asRefused(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [id]);
  return { preview: held && held.id === id ? held.preview : null, problem };
}

function receipt({ added, waiting, merged }: Extracted): string {
  const parts = [
    added.length > 0 ? `Added ${counted(added.length, "memory", "memories")}.` : "",
    waiting.length > 0 ? `${counted(waiting.length, "waits", "wait")} for your approval.` : "",
    merged.length > 0 ? `${counted(merged.length, "was", "were")} known already.` : "",
  ].filter(Boolean);
  return parts.join(" ") || "Nothing new was found.";
}

function Preview({ preview }: { preview: Extracted }) {
  const { added, waiting, merged, superseded, skipped, by } = preview;
  const isNothing = added.length + waiting.length + merged.length === 0;
  return (
    <>
      {isNothing && <p>Nothing in it is worth remembering that is not known already.</p>}
      <Part heading="Would be added" memories={added} />
      <Part heading="Would wait for your approval" memories={waiting} />
      {superseded.length > 0 && (
        <p>{counted(superseded.length, "older memory", "older memories")} would be replaced.</p>
      )}
      {merged.length > 0 && (
        <section aria-label="Known already">
          <h3 className="mem-part">Known already</h3>
          <ul className="mem-goes">
            {merged.map((one) => (
              <li key={`${one.memoryId} ${one.quote}`} dir="auto">
                <Visible text={one.content} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {skipped.length > 0 && (
        <details className="mem-skipped">
          <summary>Left out: {counted(skipped.length, "passage")}</summary>
          <ul className="mem-goes">
            {skipped.map((one) => (
              <li key={`${one.quote} ${one.reason}`}>
                <q dir="auto">
                  <Visible text={one.quote} />
                </q>{" "}
                <span className="soft">{one.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="soft">Read by {noter(by)}. Nothing is stored yet.</p>
    </>
  );
}

function Part({ heading, memories }: { heading: string; memories: readonly Memory[] }) {
  if (memories.length === 0) return null;
  return (
    <section aria-label={heading}>
      <h3 className="mem-part">{heading}</h3>
      <ul className="mem-goes">
        {memories.map((memory) => (
          <li key={memory.id}>
            <span dir="auto">
              <Visible text={memory.content} />
            </span>
            <span className="mem-about soft">
              <span>{typeName(memory.type)}</span>
              <span title={surenessExactly(memory.confidence)}>{sureness(memory.confidence)}</span>
              {memory.quote && (
                <q dir="auto">
                  <Visible text={memory.quote} />
                </q>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
