// One memory: what it says, where that comes from, and what can be done with it.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { post } from "../api/client";
import { useMay } from "../settings/may";
import { memoriesChanged } from "../state/actions";
import { tell } from "../state/notices";
import { Icon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { useZone } from "../ui/Time";
import { dayOf } from "../ui/times";
import { Visible } from "../ui/Visible";
import { About } from "./About";
import {
  approveMemory,
  archiveMemory,
  changeMemory,
  memoryPath,
  named,
  pinMemory,
  rejectMemory,
  restoreMemory,
} from "./deeds";
import { Form, type Written } from "./Form";
import { History } from "./History";
import { openMemories } from "./opening";
import { Source } from "./Source";
import type { ChangeMemoryBody, Memory } from "./shapes";
import { typeName } from "./words";

interface Props {
  memory: Memory;
  /** That of its source. */
  number: number;
  /** Tab leads to this one. */
  isReached: boolean;
  onReach: (id: string) => void;
  put: (memory: Memory) => void;
  categories: readonly string[];
  /** Its history is open from the beginning. */
  isAlone?: boolean;
}

export const ROW = "mem-row";

/** Noon, so that it is the same day nearly everywhere. */
const noon = (day: string): string | null => (day ? `${day}T12:00:00Z` : null);

/** Only what was changed. */
export function changesOf(memory: Memory, written: Written, before: Written): ChangeMemoryBody {
  const { content, type, category, since } = written;
  return {
    ...(content === memory.content ? {} : { content }),
    ...(type === memory.type ? {} : { type }),
    ...(category === (memory.category ?? "") ? {} : { category: category || null }),
    ...(since === before.since ? {} : { validFrom: noon(since) }),
  };
}

export function Row({ memory, number, isReached, onReach, put, categories, isAlone }: Props) {
  const [isEditing, setEditing] = useState(false);
  const [hasHistory, setHistory] = useState(isAlone ?? false);
  const row = useRef<HTMLElement>(null);
  const words = useId();
  const mayWrite = useMay("memory:write");
  const isWaiting = memory.state === "waiting";

  // Whoever leaves the form goes on from the memory.
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) row.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const deeds = mayWrite
    ? deedsFor(memory, {
        edit: () => setEditing(true),
        pin: async () => {
          const changed = await pinMemory(memory);
          if (changed) put(changed);
        },
        history: () => setHistory(!hasHistory),
        hasHistory,
      })
    : [];
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const deed = deeds.find(({ key }) => key === event.key);
    if (!deed) return;
    event.preventDefault();
    deed.run();
  };
  return (
    <article
      ref={row}
      id={memory.id}
      className={`${ROW}${memory.pinned ? " pinned" : ""}${memory.supersededBy ? " over" : ""}`}
      aria-labelledby={words}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(memory.id)}
      onKeyDown={press}
    >
      {isEditing ? (
        <>
          <span id={words} className="only-heard">
            {memory.content}
          </span>
          <Edit
            memory={memory}
            categories={categories}
            onSaved={(changed) => {
              setEditing(false);
              put(changed);
            }}
            onCancel={() => setEditing(false)}
          />
        </>
      ) : (
        <>
          <p className="mem-content" dir="auto">
            {memory.pinned && (
              <span className="mem-pin" title="Pinned: the model is always told">
                <Icon name="pin" size={14} />
                <span className="only-heard">Pinned: </span>
              </span>
            )}
            <span id={words}>
              <Visible text={memory.content} />
            </span>
            <Source memory={memory} number={number} />
          </p>
          {isWaiting && memory.quote && <Quoted quote={memory.quote} />}
          <About memory={memory} hasUse={!isWaiting} />
          {deeds.length > 0 && <Deeds memory={memory} deeds={deeds} isReached={isReached} />}
        </>
      )}
      {hasHistory && !isEditing && <History id={memory.id} />}
    </article>
  );
}

const Quoted = ({ quote }: { quote: string }) => (
  <p className="mem-quote">
    <span className="only-heard">From your words: </span>
    <q dir="auto">
      <Visible text={quote} />
    </q>
  </p>
);

interface Deed extends MenuItem {
  key: string;
  run: () => void;
  /** Whether it stands beside the memory, and not in the menu. */
  isBeside: boolean;
  isPressed?: boolean;
}

interface Does {
  edit: () => void;
  pin: () => void;
  history: () => void;
  hasHistory: boolean;
}

function deedsFor(memory: Memory, does: Does): Deed[] {
  const history: Deed = {
    label: does.hasHistory ? "Hide history" : "History",
    icon: "clock",
    key: "h",
    isBeside: memory.supersededBy !== null, // there it says what came after
    run: does.history,
  };
  if (memory.state === "waiting") {
    return [
      {
        label: "Approve",
        icon: "check",
        key: "a",
        isBeside: true,
        run: () => void approveMemory(memory),
      },
      { label: "Edit and approve", icon: "rename", key: "e", isBeside: true, run: does.edit },
      {
        label: "Reject",
        icon: "close",
        key: "r",
        isBeside: true,
        run: () => rejectMemory(memory),
      },
    ];
  }
  return [
    {
      label: "Pin",
      icon: "pin",
      key: "p",
      isBeside: true,
      isPressed: memory.pinned,
      run: does.pin,
    },
    { label: "Edit", icon: "rename", key: "e", isBeside: true, run: does.edit },
    ...(memory.supersededBy === null ? [] : [bringBack(memory)]),
    history,
    {
      label: memory.archived ? "Unarchive" : "Archive",
      icon: memory.archived ? "unarchive" : "archive",
      key: "x",
      isBeside: false,
      run: () => void archiveMemory(memory),
    },
    {
      label: "Forget…",
      icon: "trash",
      key: "Delete",
      danger: true,
      isBeside: false,
      run: () => openMemories({ kind: "forget", memory }),
    },
  ];
}

const bringBack = (memory: Memory): Deed => ({
  label: "Bring back",
  icon: "undo",
  key: "b",
  isBeside: true,
  run: () => void restoreMemory(memory),
});

interface DeedsProps {
  memory: Memory;
  deeds: readonly Deed[];
  isReached: boolean;
}

/** Tab goes through those of one memory only, so that a long list can be left. */
function Deeds({ memory, deeds, isReached }: DeedsProps) {
  const isWaiting = memory.state === "waiting";
  const rest = deeds.filter(({ isBeside }) => !isBeside);
  const shown = (label: string, icon: ReactNode) => (isWaiting ? label : icon);
  return (
    <div className={`mem-deeds${isWaiting ? " wide" : ""}`}>
      {deeds
        .filter(({ isBeside }) => isBeside)
        .map(({ label, icon, key, run, isPressed }) => (
          <button
            key={label}
            type="button"
            className={isWaiting ? `button${key === "a" ? " primary" : ""}` : "button quiet icon"}
            tabIndex={isReached ? 0 : -1}
            aria-label={`${label} ${named(memory)}`}
            title={`${label} (${key})`}
            aria-keyshortcuts={key}
            aria-pressed={isPressed}
            onClick={run}
          >
            {shown(label.split(" ")[0] ?? label, icon && <Icon name={icon} size={16} />)}
          </button>
        ))}
      {rest.length > 0 && (
        <Menu
          label={`More for ${named(memory)}`}
          items={rest.map(({ key, ...item }) => ({
            ...item,
            hint: key === "Delete" ? "Del" : key,
          }))}
        />
      )}
    </div>
  );
}

interface EditProps {
  memory: Memory;
  categories: readonly string[];
  onSaved: (memory: Memory) => void;
  onCancel: () => void;
}

function Edit({ memory, categories, onSaved, onCancel }: EditProps) {
  const zone = useZone();
  const isWaiting = memory.state === "waiting";
  const first: Written = {
    content: memory.content,
    type: memory.type,
    category: memory.category ?? "",
    pinned: memory.pinned,
    since: memory.validFrom ? dayOf(memory.validFrom, zone) : "",
  };
  const save = async (written: Written) => {
    const body = changesOf(memory, written, first);
    let changed = Object.keys(body).length > 0 ? await changeMemory(memory.id, body) : memory;
    if (isWaiting) {
      changed = await post<Memory>(memoryPath(memory.id, "approve"));
      memoriesChanged();
      tell(`Remembered: ${named(changed)}.`);
    }
    onSaved(changed);
  };
  return (
    <Form
      label={`Edit this ${typeName(memory.type).toLowerCase()}`}
      first={first}
      save={isWaiting ? "Save and approve" : "Save"}
      draft={`memory-${memory.id}`}
      hasSince
      categories={categories}
      onSave={save}
      onCancel={onCancel}
    />
  );
}
