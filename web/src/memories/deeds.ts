// What people do with memories. Those that may be refused in a form throw `Refused`; the others
// tell it.
import { answered, post, put } from "../api/client";
import { forgetLater, memoriesChanged } from "../state/actions";
import { tell } from "../state/notices";
import { notice } from "../state/trouble";
import { counted } from "../ui/numbers";
import { PATH } from "./asking";
import type {
  ChangeMemoryBody,
  Extracted,
  Finding,
  Fixed,
  ForgetReceipt,
  Memory,
  NewMemoryBody,
} from "./shapes";
import { goes } from "./words";

export const memoryPath = (id: string, part = ""): string =>
  `${PATH}/${encodeURIComponent(id)}${part && `/${part}`}`;

/** How a memory is called in a sentence. */
export function named({ content }: Pick<Memory, "content">): string {
  const line = content.replace(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return `“${letters.length > 60 ? `${letters.slice(0, 59).join("").trimEnd()}…` : line}”`;
}

/** Throws `Refused`. */
export async function addMemory(body: NewMemoryBody): Promise<Memory> {
  const { status, value } = await answered<Memory>("POST", PATH, { body });
  memoriesChanged();
  if (status === 200) tell(`That is known already: ${named(value)}.`);
  else if (value.state === "waiting") tell(`${named(value)} waits for your approval.`);
  else tell(`Remembered: ${named(value)}.`);
  return value;
}

/** Throws `Refused`. */
export async function changeMemory(id: string, body: ChangeMemoryBody): Promise<Memory> {
  const memory = await put<Memory>(memoryPath(id), body);
  memoriesChanged();
  return memory;
}

/** Runs it, and tells what goes wrong. */
async function told<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    notice(error);
    return null;
  }
}

export const pinMemory = (memory: Memory): Promise<Memory | null> =>
  told(changeMemory(memory.id, { pinned: !memory.pinned }));

export async function archiveMemory(memory: Memory): Promise<Memory | null> {
  const archived = !memory.archived;
  const changed = await told(changeMemory(memory.id, { archived }));
  if (!changed) return null;
  const text = archived
    ? `Archived ${named(memory)}. It is not used any more.`
    : `${named(memory)} is used again.`;
  const back = () => void told(changeMemory(memory.id, { archived: !archived }));
  tell(text, { action: { label: "Undo", run: back } });
  return changed;
}

export async function approveMemory(memory: Memory): Promise<boolean> {
  const approved = await told(post<Memory>(memoryPath(memory.id, "approve")));
  memoriesChanged();
  if (approved) tell(`Remembered: ${named(approved)}.`);
  return approved !== null;
}

/** It holds again, and what had taken its place stays, too. */
export async function restoreMemory(memory: Memory): Promise<Memory | null> {
  const restored = await told(post<Memory>(memoryPath(memory.id, "restore")));
  memoriesChanged();
  if (restored) tell(`${named(restored)} holds again.`);
  return restored;
}

export function rejectMemory(memory: Memory): void {
  forgetLater<ForgetReceipt>(
    {
      text: `${named(memory)} is being rejected.`,
      method: "POST",
      path: memoryPath(memory.id, "reject"),
      query: {},
      body: {},
      ids: [memory.id],
      changed: memoriesChanged,
    },
    () => `Rejected ${named(memory)}. It is not learned again.`,
  );
}

/** What is forgotten: by the address that is asked with `preview`, and then without. */
export interface Forgettable {
  path: string;
  query: Record<string, string>;
}

export function forget({ path, query }: Forgettable, everywhere: boolean, preview: ForgetReceipt) {
  const { memories, messages } = preview;
  forgetLater<ForgetReceipt>(
    {
      text: `${goes(memories.length, messages, ["forgetting", "erasing"])}.`,
      method: "DELETE",
      path,
      query: { ...query, ...(everywhere ? { everywhere } : {}) },
      ids: memories.map(({ id }) => id),
      changed: memoriesChanged,
    },
    (receipt) => {
      const gone = goes(receipt.memories.length, receipt.messages, ["forgot", "erased"]);
      return gone ? `${gone}.${again(receipt)}` : "There was nothing left to forget.";
    },
  );
}

/** That others hold again. */
function again({ restored }: ForgetReceipt): string {
  const [first] = restored;
  if (!first) return "";
  return restored.length === 1
    ? ` ${named(first)} holds again.`
    : ` ${counted(restored.length, "memory", "memories")} hold again.`;
}

/** Throws `Refused`. */
export const previewExtraction = (conversationId: string): Promise<Extracted> =>
  post<Extracted>(`${PATH}/extract`, { conversationId, dryRun: true });

/** Throws `Refused`. */
export async function extract(conversationId: string): Promise<Extracted> {
  const done = await post<Extracted>(`${PATH}/extract`, { conversationId });
  memoriesChanged();
  return done;
}

/** Puts right what an audit found. What is forgotten can be undone for a moment. */
export async function fixFinding(finding: Finding): Promise<boolean> {
  const { kind, memoryIds, fix, memories } = finding;
  const body = { kind, memoryIds };
  if (fix === "forget") {
    forgetLater<Fixed>(
      {
        text: `${goes(memoryIds.length, 0, ["forgetting", ""])}.`,
        method: "POST",
        path: `${PATH}/audit`,
        query: {},
        body,
        ids: memoryIds,
        changed: memoriesChanged,
      },
      () => `${goes(memoryIds.length, 0, ["forgot", ""])}.`,
    );
    return true;
  }
  const fixed = await told(post<Fixed>(`${PATH}/audit`, body));
  memoriesChanged();
  if (!fixed) return false;
  const [first] = memories;
  const what = first && memories.length === 1 ? named(first) : `${memoryIds.length} memories`;
  tell(`${FIXED[fix]} ${what}.`);
  return true;
}

const FIXED = { archive: "Archived", merge: "Merged", supersede: "Put in order", keep: "Kept" };
