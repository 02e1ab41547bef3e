// Before something is forgotten: what goes, in the server's own words. Then comes Undo for some
// seconds, then the receipt: both are told by `forget`.
import { type ReactNode, useEffect, useState } from "react";
import { remove } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { ConversationMeta } from "../api/shapes";
import { useStore } from "../state/store";
import { Dialog } from "../ui/Dialog";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { Trouble } from "../ui/Trouble";
import { Visible } from "../ui/Visible";
import { PATH } from "./asking";
import { Choose, useName } from "./Choose";
import { type Forgettable, forget, memoryPath } from "./deeds";
import type { ForgetReceipt, Memory } from "./shapes";
import { goes } from "./words";

const SHOWN = 8;
const PAUSE = 250;

export function ForgetOne({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  return (
    <Forget
      title="Forget this memory?"
      what={{ path: memoryPath(memory.id), query: {} }}
      onClose={onClose}
      nothing="It is forgotten already."
    />
  );
}

export function ForgetAbout({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [word, setWord] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWord(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Forget
      title="Forget everything about a word"
      what={word ? { path: PATH, query: { about: word } } : null}
      onClose={onClose}
      nothing={`Nothing is remembered about “${word}”.`}
    >
      <label className="mem-field mem-word">
        <span className="soft">A word, a name, a place</span>
        <input
          data-first
          className="field"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
    </Forget>
  );
}

interface FromProps {
  conversationId: string | null;
  onClose: () => void;
}

export function ForgetFrom({ conversationId, onClose }: FromProps) {
  const [chosen, choose] = useState<ConversationMeta | null>(null);
  const id = chosen?.id ?? conversationId;
  const known = useStore((state) => (id === null ? undefined : state.conversations[id]));
  const name = useName(id, chosen ?? known);
  return (
    <Forget
      title="Forget everything from a conversation"
      what={id === null ? null : { path: PATH, query: { conversationId: id } }}
      onClose={onClose}
      nothing="Nothing is remembered from this conversation."
    >
      {id === null ? <Choose onChoose={choose} /> : <p className="ui-dialog-subject">{name}</p>}
    </Forget>
  );
}

/** What would go, and with its sources. */
function usePreview(what: Forgettable | null, everywhere: boolean) {
  const [held, setHeld] = useState<{ key: string; preview: ForgetReceipt } | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  const key = what === null ? "" : JSON.stringify([what, everywhere]);
  useEffect(() => {
    if (!key) return;
    let isWanted = true;
    const [{ path, query }, all] = JSON.parse(key) as [Forgettable, boolean];
    setProblem(null);
    const asked = { ...query, everywhere: all || null, preview: true };
    remove<ForgetReceipt>(path, asked).then(
      (preview) => isWanted && setHeld({ key, preview }),
      (error) => isWanted && setProblem(asRefused(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  const preview = key && held ? held.preview : null;
  return { preview, isCurrent: held?.key === key, problem };
}

interface Props {
  title: string;
  /** null as long as it has not been said. */
  what: Forgettable | null;
  nothing: string;
  onClose: () => void;
  children?: ReactNode;
}

function Forget({ title, what, nothing, onClose, children }: Props) {
  const [everywhere, setEverywhere] = useState(false);
  const { preview, isCurrent, problem } = usePreview(what, everywhere);
  const isNothing = preview !== null && preview.memories.length === 0 && preview.messages === 0;
  const run = () => {
    if (!what || !preview || !isCurrent) return;
    onClose();
    forget(what, everywhere, preview);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {leaving(what !== null && !isNothing, preview?.memories.length ?? 1)}
          </button>
          {what && preview && !isNothing && (
            <button type="button" className="button danger" disabled={!isCurrent} onClick={run}>
              {goes(preview.memories.length, preview.messages, ["forget", "erase"])}
            </button>
          )}
        </>
      }
    >
      {children}
      <Trouble problem={problem} />
      {what && !preview && !problem && <Skeleton lines={3} label="Counting what will go" />}
      {what && isNothing && isCurrent && (
        <>
          <p>{nothing}</p>
          <WhatStays preview={preview} />
        </>
      )}
      {what && preview && !isNothing && (
        <>
          <WhatGoes preview={preview} />
          <label className="mem-check">
            <input
              type="checkbox"
              checked={everywhere}
              onChange={(event) => setEverywhere(event.target.checked)}
            />
            Also erase the messages {preview.memories.length === 1 ? "it" : "they"} came from
          </label>
          <WhatHolds preview={preview} />
          <WhatStays preview={preview} />
          <p>You can undo it for a few seconds. After that nobody can bring it back.</p>
        </>
      )}
    </Dialog>
  );
}

function leaving(hasAny: boolean, many: number): string {
  if (!hasAny) return "Close";
  return many > 1 ? "Keep them" : "Keep it";
}

function WhatHolds({ preview: { restored } }: { preview: ForgetReceipt }) {
  if (restored.length === 0) return null;
  return (
    <>
      <p>This holds again, because what had taken its place goes:</p>
      <Contents label="What holds again" memories={restored} />
    </>
  );
}

function WhatStays({ preview: { remains } }: { preview: ForgetReceipt }) {
  if (remains.length === 0) return null;
  return (
    <>
      <p>This stays:</p>
      <ul className="mem-goes soft" aria-label="What stays">
        {remains.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function WhatGoes({ preview: { memories, erased } }: { preview: ForgetReceipt }) {
  return (
    <>
      <p>This will go:</p>
      <Contents label="What will go" memories={memories}>
        {erased.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Contents>
    </>
  );
}

interface ContentsProps {
  label: string;
  memories: readonly Memory[];
  children?: ReactNode;
}

function Contents({ label, memories, children }: ContentsProps) {
  return (
    <ul className="mem-goes" aria-label={label}>
      {memories.slice(0, SHOWN).map((memory) => (
        <li key={memory.id} dir="auto">
          <q>
            <Visible text={memory.content} />
          </q>
        </li>
      ))}
      {memories.length > SHOWN && (
        <li>and {counted(memories.length - SHOWN, "more memory", "more memories")}</li>
      )}
      {children}
    </ul>
  );
}
