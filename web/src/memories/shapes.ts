// What the page calls the shapes of memories that the server tells, and all there are of each kind.
import type { AuditFinding, Memory } from "../api/shapes";

export type {
  AuditFinding as Finding,
  AuditReport as Audit,
  Extraction as Extracted,
  ForgetReceipt,
  HistoryEntry as MemoryChange,
  Memory,
  MemoryChangeBody as ChangeMemoryBody,
  MemoryHistory,
  MemoryPage,
  Mended as Fixed,
  NewMemoryBody,
} from "../api/shapes";

export type MemoryType = Memory["type"];
export const TYPES = [
  "fact",
  "preference",
  "entity",
  "project",
  "decision",
] as const satisfies readonly MemoryType[];

export type Fault = AuditFinding["kind"];
export const FAULTS = [
  "junk",
  "duplicate",
  "unsupported",
  "contradictory",
  "stale",
] as const satisfies readonly Fault[];
