// How one came to an address: to a message (`#msg-…`), back to where one stood, or neither. Where
// one stands is kept with the entry of the history, so Back and a reload return to it.
import { useEffect, useSyncExternalStore } from "react";
import { refocus } from "./box";

/** A message, and how far its top is below the top of what is seen, in pixels. */
export interface Standing {
  messageId: string;
  offset: number;
}

/** In the place of a message: above all of them, so far below the top of all there is. */
export const TOP = "top";

export interface Arrival {
  /** Another number each time one comes anywhere, also to the same address again. */
  serial: number;
  /** A message. */
  target: string | null;
  /** Another part of the page. */
  anchor: string | null;
  standing: Standing | null;
  /** Words of the message because of which one came. */
  quote: string | null;
  /** By keys that walk on from there. */
  isWalked: boolean;
}

/** The state of an entry to which one walks by keys. */
export const WALKED = { walked: true };

/** The state of an entry that leads to words of a message. */
export const quoting = (quote: string | null): { quote: string } | undefined =>
  quote ? { quote } : undefined;

const isStanding = (value: unknown): value is Standing =>
  typeof value === "object" &&
  value !== null &&
  "messageId" in value &&
  typeof value.messageId === "string" &&
  "offset" in value &&
  typeof value.offset === "number";

function entry(): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? { ...state } : {};
}

function look(serial: number, isNew: boolean): Arrival {
  const hash = location.hash.slice(1);
  const isMessage = hash.startsWith("msg-");
  const { standing, walked, quote } = entry();
  return {
    serial,
    target: isMessage ? hash : null,
    anchor: isMessage ? null : hash || null,
    standing: isStanding(standing) ? standing : null,
    quote: isNew && typeof quote === "string" ? quote : null,
    isWalked: isNew && walked === true,
  };
}

let arrival = look(0, false);
const listeners = new Set<() => void>();

function arrive({ type }: Event): void {
  arrival = look(arrival.serial + 1, type === "pushState");
  for (const listener of listeners) listener();
}

// `pushState` is told by the router. An entry that is replaced is where one already is.
for (const name of ["popstate", "pushState"]) addEventListener(name, arrive);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useArrival = (): Arrival => useSyncExternalStore(subscribe, () => arrival);

/** Keeps where one stands; null is the end. */
export function stand(standing: Standing | null): void {
  const state = entry();
  if (JSON.stringify(state.standing ?? null) === JSON.stringify(standing)) return;
  history.replaceState({ ...state, standing }, "");
}

/** Whether one stands at the end, as it comes, or above all messages. */
export function standsAtEnd(): boolean {
  const { standing } = entry();
  return !isStanding(standing) || standing.messageId === TOP;
}

/** Whoever comes to write finds the cursor in the box; on touch the keyboard would cover the page. */
export function useFocusOnArrival(arrival: Arrival, isWriting = true): void {
  const { serial, target, standing, isWalked } = arrival;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts
  useEffect(() => {
    if (!isWriting || target || standing || isWalked) return;
    refocus();
  }, [serial, target, standing, isWalked, isWriting]);
}
