// Memories: what was learned, each with the words it came from, and under its owner's control.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useFetched } from "../api/useFetched";
import type { Paged } from "../api/usePages";
import { useMay } from "../settings/may";
import { useCommand } from "../shell/commands";
import { useShown } from "../state/useShown";
import { Icon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { More } from "../ui/More";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { scrollerOf } from "../ui/scroller";
import { Trouble } from "../ui/Trouble";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { Audit } from "./Audit";
import { PATH, useMemories, useVersion } from "./asking";
import { addMemory, memoryPath } from "./deeds";
import { Filters, Views } from "./Filters";
import { Form, type Written } from "./Form";
import { List } from "./List";
import { openMemories } from "./opening";
import type { Memory, MemoryHistory, MemoryPage } from "./shapes";
import { ALL, addressOf, belongs, isNarrowed, type View, type Wanted, wantedOf } from "./wanted";
import "./memories.css";

export default function MemoriesPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const wanted = useMemo(() => wantedOf(search), [search]);
  const [isAdding, setAdding] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  const waiting = useWaiting();
  const mayWrite = useMay("memory:write");
  useDocumentTitle("Memories");
  useLayoutEffect(() => {
    if (top.current) scrollerOf(top.current).scrollTop = 0;
  }, []);
  const change = useCallback(
    (part: Partial<Wanted>) => navigate(addressOf({ ...wanted, ...part }), { replace: true }),
    [navigate, wanted],
  );
  const add = () => setAdding(true);
  useCommand(
    mayWrite ? { label: "Add a memory", icon: "plus", words: "remember note", run: add } : null,
  );
  return (
    <div ref={top} className="mem-page">
      <header className="mem-head">
        <h1 tabIndex={-1}>Memories</h1>
        {mayWrite && <Tools onAdd={add} />}
      </header>
      <Views wanted={wanted} waiting={waiting.length} />
      {isAdding && <Add onDone={() => setAdding(false)} />}
      {wanted.memory ? (
        <One id={wanted.memory} />
      ) : wanted.view === "audit" ? (
        <Audit />
      ) : (
        <All wanted={wanted} change={change} waiting={waiting.length} onAdd={add} />
      )}
    </div>
  );
}

function useWaiting(): readonly Memory[] {
  const path = `${PATH}?state=waiting&limit=200`;
  const { data } = useFetched<MemoryPage>(path, String(useVersion()));
  return useShown(data?.memories ?? NONE);
}

const NONE: readonly Memory[] = [];

function Tools({ onAdd }: { onAdd: () => void }) {
  const more: MenuItem[] = [
    {
      label: "Forget everything about a word…",
      icon: "trash",
      run: () => openMemories({ kind: "forgetAbout" }),
    },
    {
      label: "Forget everything from a conversation…",
      icon: "trash",
      run: () => openMemories({ kind: "forgetFrom", conversationId: null }),
    },
  ];
  return (
    <div className="mem-tools">
      <button type="button" className="button" onClick={onAdd}>
        <Icon name="plus" />
        Add
      </button>
      <button
        type="button"
        className="button"
        onClick={() => openMemories({ kind: "extract", conversationId: null })}
      >
        Extract…
      </button>
      <Menu label="More for memories" items={more} />
    </div>
  );
}

const BLANK: Written = { content: "", type: "fact", category: "", pinned: false, since: "" };

function Add({ onDone }: { onDone: () => void }) {
  const save = async ({ content, type, category, pinned }: Written) => {
    await addMemory({
      content,
      type,
      ...(category ? { category } : {}),
      ...(pinned ? { pinned } : {}),
    });
    onDone();
  };
  return (
    <Form
      label="Add a memory"
      first={BLANK}
      save="Remember"
      draft="memory-new"
      hasPin
      onSave={save}
      onCancel={onDone}
    />
  );
}

interface AllProps {
  wanted: Wanted;
  change: (part: Partial<Wanted>) => void;
  waiting: number;
  onAdd: () => void;
}

function All({ wanted, change, waiting, onAdd }: AllProps) {
  const asking = useMemories(wanted);
  const { answer, problem, askAgain } = asking;
  const { view } = wanted;
  const isThere = answer !== null && !asking.isAsking;
  const shown = useShown(answer?.items ?? NONE);
  const memories = useMemo(
    // While the next ones are asked for, those that were there stay.
    () => (isThere ? shown.filter((one) => belongs(view, one)) : shown),
    [shown, view, isThere],
  );
  const categories = useCategories(memories);
  const isNothing = answer !== null && memories.length === 0 && !answer.nextCursor;
  const isEmpty = isNothing && !isNarrowed(wanted) && !asking.isAsking;
  return (
    <>
      {!(isEmpty && wanted.view === "kept") && (
        <Filters wanted={wanted} categories={categories} change={change} />
      )}
      {wanted.view === "kept" && waiting > 0 && (
        <p className="mem-calling">
          <Link href={addressOf({ ...ALL, view: "waiting" })}>
            {counted(waiting, "memory waits", "memories wait")} for your approval
          </Link>
        </p>
      )}
      <Trouble problem={problem} again={askAgain} />
      {!answer && !problem && <Skeleton lines={8} label="Loading the memories" />}
      {answer && (
        <div aria-busy={asking.isAsking}>
          <p className={isNothing ? "only-heard" : "mem-count soft"} role="status">
            {summary(wanted, memories.length, asking)}
          </p>
          {isEmpty && <Empty view={wanted.view} onAdd={onAdd} />}
          {isNothing && !isEmpty && <NothingFits wanted={wanted} />}
          <List
            label="Memories"
            memories={memories}
            put={asking.put}
            categories={categories}
            isRanked={wanted.q.trim() !== ""}
          />
          {answer.nextCursor && (
            <More name="memories" isLoading={asking.isLoadingMore} load={asking.loadMore} />
          )}
        </div>
      )}
    </>
  );
}

function summary({ q, view }: Wanted, many: number, { answer }: Paged<Memory>): string {
  if (many === 0) return q.trim() ? "No memory fits." : "No memories.";
  const shown = `${answer?.nextCursor ? "The first " : ""}${counted(many, "memory", "memories")}`;
  if (q.trim()) return `${shown}, best first.`;
  return view === "waiting"
    ? `${shown}: a approves, e edits, r rejects.`
    : `${shown}, newest first.`;
}

/** Those that were seen since the page was opened. */
function useCategories(memories: readonly Memory[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  useEffect(() => {
    setSeen((before) => {
      const all = new Set([...before, ...memories.flatMap(({ category }) => category ?? [])]);
      return all.size === before.length ? before : [...all].sort();
    });
  }, [memories]);
  return seen;
}

const SENTENCES: Record<Exclude<View, "kept" | "audit">, string> = {
  pinned: "What you pin is told to the model with every message.",
  waiting: "Nothing waits for your approval.",
  superseded: "What was true before something else became true stands here.",
  archived: "What you archive is kept here, and not used.",
};

function Empty({ view, onAdd }: { view: View; onAdd: () => void }) {
  if (view !== "kept" && view !== "audit") {
    return (
      <div className="mem-empty">
        <p>{SENTENCES[view]}</p>
        <Link className="button" href={addressOf(ALL)}>
          Show all memories
        </Link>
      </div>
    );
  }
  return (
    <div className="mem-empty">
      <p>
        What you say of yourself is learned when a conversation has gone on for some turns, or is
        quiet. Say “remember that …” to have it at once, or press <em>Extract…</em> to read a
        conversation now.
      </p>
      <button type="button" className="button primary" onClick={onAdd}>
        Add the first memory
      </button>
    </div>
  );
}

function NothingFits({ wanted }: { wanted: Wanted }) {
  return (
    <div className="mem-empty">
      <p>
        No memory fits
        {wanted.q.trim() && (
          <>
            {" "}
            <bdi>“{wanted.q.trim()}”</bdi>
          </>
        )}
        .
      </p>
      <Link className="button" href={addressOf({ ...ALL, view: wanted.view })}>
        Show all of them
      </Link>
    </div>
  );
}

/** One memory alone, with its history: where links from elsewhere lead. */
function One({ id }: { id: string }) {
  const asked = useFetched<MemoryHistory>(memoryPath(id, "history"), String(useVersion()));
  const { data, problem, again } = asked;
  const here = useMemo(() => (data?.memory.id === id ? [data.memory] : NONE), [data, id]);
  const memories = useShown(here);
  const isGone = problem?.status === 404 || (here.length > 0 && memories.length === 0);
  return (
    <>
      {isGone && (
        <div className="mem-empty">
          <p>This memory has been forgotten.</p>
        </div>
      )}
      {problem && !isGone && <Trouble problem={problem} again={again} />}
      {!data && !problem && <Skeleton lines={3} label="Loading the memory" />}
      {!isGone && (
        <List label="Memory" memories={memories} put={again} categories={[]} isAlone key={id} />
      )}
      <Link className="button" href={addressOf(ALL)}>
        Show all memories
      </Link>
    </>
  );
}
