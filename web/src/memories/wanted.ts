// Which memories are looked at, as the address of the page says it.
import { address } from "../api/client";
import { type Memory, type MemoryType, TYPES } from "./shapes";

export const VIEWS = ["kept", "pinned", "waiting", "superseded", "archived", "audit"] as const;
export type View = (typeof VIEWS)[number];

export interface Wanted {
  view: View;
  type: MemoryType | "";
  category: string;
  q: string;
  /** One memory alone, by its id. */
  memory: string;
}

export const ALL: Wanted = { view: "kept", type: "", category: "", q: "", memory: "" };

export function wantedOf(search: string): Wanted {
  const given = new URLSearchParams(search);
  const view = given.get("show");
  const type = given.get("type");
  return {
    view: VIEWS.find((one) => one === view) ?? "kept",
    type: TYPES.find((one) => one === type) ?? "",
    category: given.get("category") ?? "",
    q: given.get("q") ?? "",
    memory: given.get("memory") ?? "",
  };
}

export const addressOf = ({ view, type, category, q, memory }: Wanted): string =>
  address("/memories", { memory, show: view === "kept" ? "" : view, type, category, q });

/** Where one memory is shown, with its history. */
export const memoryAddress = (id: string): string => addressOf({ ...ALL, memory: id });

const SHOWN = {
  kept: {},
  pinned: { pinned: true },
  waiting: { state: "waiting" },
  superseded: { superseded: true },
  archived: { archived: true },
  audit: {},
} as const;

/** What is asked of the API. */
export const parametersOf = ({ view, type, category, q }: Wanted) => ({
  ...SHOWN[view],
  type,
  category,
  q: q.trim(),
});

/** Whether one that has just changed still belongs there. */
export function belongs(view: View, { state, archived, pinned }: Memory): boolean {
  if (view === "waiting") return state === "waiting";
  if (view === "archived") return archived;
  return state === "kept" && !archived && (view !== "pinned" || pinned);
}

export const isNarrowed = ({ type, category, q }: Wanted): boolean =>
  Boolean(type || category || q.trim());
