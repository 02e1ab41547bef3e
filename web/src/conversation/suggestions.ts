// What a reply offers to go on with. Programs write these as they like: what is not understood is
// left out.
import type { Message } from "../api/shapes";

export interface Offered {
  label: string;
  /** What is put into the box, or said. */
  text: string;
}

export type Action = { kind: "regenerate"; label: string } | ({ kind: "say" } & Offered);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value).trim() || null
    : null;

const first = (one: Record<string, unknown>, names: readonly string[]): string | null => {
  for (const name of names) {
    const text = asText(one[name]);
    if (text !== null) return text;
  }
  return null;
};

function offered(value: unknown): Offered | null {
  const plain = asText(value);
  if (plain !== null) return { label: plain, text: plain };
  if (!isObject(value)) return null;
  const text = first(value, ["value", "text", "message", "content", "label", "title", "name"]);
  if (text === null) return null;
  return { label: first(value, ["label", "title", "name"]) ?? text, text };
}

export const valuesOf = ({ suggestedValues }: Message): Offered[] =>
  (suggestedValues ?? []).map(offered).filter((one) => one !== null);

export function actionsOf({ suggestedActions }: Message): Action[] {
  const actions: Action[] = [];
  for (const one of suggestedActions ?? []) {
    const found = offered(one);
    if (isObject(one) && one.type === "regenerate") {
      actions.push({ kind: "regenerate", label: found?.label ?? "Try again" });
    } else if (found) actions.push({ kind: "say", ...found });
  }
  return actions;
}
