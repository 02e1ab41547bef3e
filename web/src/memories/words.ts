// Memories in words: how sure, how often used, of which type, by whom.
import { counted, percent } from "../ui/numbers";
import { ago, dayOf, dayWords } from "../ui/times";
import type { Fault, Finding, Memory, MemoryType } from "./shapes";

export const TYPE_NAMES: Record<MemoryType, { one: string; many: string }> = {
  fact: { one: "Fact", many: "Facts" },
  preference: { one: "Preference", many: "Preferences" },
  entity: { one: "Person or thing", many: "People and things" },
  project: { one: "Project", many: "Projects" },
  decision: { one: "Decision", many: "Decisions" },
};

/** A type that a newer server names is called so. */
export const typeName = (type: string, many = false): string => {
  const known = Object.hasOwn(TYPE_NAMES, type) ? TYPE_NAMES[type as MemoryType] : null;
  return known ? known[many ? "many" : "one"] : type;
};

const SURE: readonly [number, string][] = [
  [0.95, "certain"],
  [0.8, "quite sure"],
  [0.6, "likely"],
  [0.4, "unsure"],
  [0, "a guess"],
];

/** How sure it is: "quite sure". */
export const sureness = (confidence: number): string =>
  SURE.find(([least]) => confidence >= least)?.[1] ?? "a guess";

export const surenessExactly = (confidence: number): string =>
  `Confidence: ${percent(Math.round(confidence * 100) / 100)}`;

/** "used 4 times, last yesterday" */
export function used(
  { accessCount, lastAccessedAt }: Pick<Memory, "accessCount" | "lastAccessedAt">,
  now: number,
  zone?: string,
): string {
  if (accessCount === 0) return "not used yet";
  const last = lastAccessedAt ? ago(lastAccessedAt, now, zone) : "";
  if (accessCount === 1) return last ? `used once, ${last}` : "used once";
  return `used ${counted(accessCount, "time")}${last && `, last ${last}`}`;
}

/** Who noted it: "you", "Palaver", or a model by its name. */
export const noter = (by: string): string =>
  by === "user" ? "you" : by === "offline" ? "the offline assistant" : by;

/** Since when it holds: what the memory says, else when it was noted. */
export const since = ({ validFrom, created }: Memory): string => validFrom ?? created;

export const day = (at: string, now: number, zone?: string): string =>
  dayWords(dayOf(at, zone), now, zone);

export const FAULT_NAMES: Record<Fault, { name: string; about: string }> = {
  junk: { name: "Junk", about: "says nothing that is worth keeping" },
  duplicate: { name: "Duplicate", about: "says what another one says" },
  unsupported: { name: "Unsupported", about: "the words it came from are gone" },
  contradictory: { name: "Contradictory", about: "says the opposite of another one" },
  stale: { name: "Stale", about: "old, and long not used" },
};

/** A fault that a newer server names is called so. */
export const faultName = (kind: string): string =>
  Object.hasOwn(FAULT_NAMES, kind) ? FAULT_NAMES[kind as Fault].name : kind;

/** What the button says that puts it right. */
export function fixName({ fix, memoryIds }: Pick<Finding, "fix" | "memoryIds">): string {
  const many = memoryIds.length;
  const these = many === 1 ? "it" : `these ${many}`;
  switch (fix) {
    case "archive":
      return `Archive ${these}`;
    case "merge":
      return `Merge ${these}`;
    case "forget":
      return `Forget ${these}`;
    case "supersede":
      return "Let the newer one replace the older";
    default:
      return `Keep ${these}`;
  }
}

/** "3 memories and 2 messages"; what is none is not told. */
export function goes(memories: number, messages: number, verbs: [string, string]): string {
  const parts = [
    memories > 0 ? `${verbs[0]} ${counted(memories, "memory", "memories")}` : "",
    messages > 0 ? `${verbs[1]} ${counted(messages, "message")}` : "",
  ].filter(Boolean);
  const text = parts.join(" and ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
