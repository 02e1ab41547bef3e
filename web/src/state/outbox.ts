// The outbox: what was said here and is not known to be stored. Each message is kept by itself, so
// that tabs which share the storage do not overwrite each other's.
import { forget, keep, kept, keptNames } from "./kept";
import type { Outgoing } from "./model";
import { changeState, readState } from "./store";
import { isTheirs, saidNow } from "./who";

const PREFIX = "outbox.";

/** A message as it is kept. */
interface Kept {
  key: string;
  place: string;
  text: string;
  at: number;
  /** The tab that sends it, as long as it is there. */
  tab: string;
  /** Who said it: nobody else who signs in here sends it. null when that was not known yet. */
  user: string | null;
}

let tab = "";
let lastAt = 0;

export function setTab(name: string): void {
  tab = name;
}

/** Later than all before, so that messages keep their order. */
function now(): number {
  lastAt = Math.max(Date.now(), lastAt + 1);
  return lastAt;
}

function change(change: (outbox: readonly Outgoing[]) => readonly Outgoing[]): void {
  changeState(({ outbox }) => ({ outbox: change(outbox) }));
}

const store = ({ key, place, text, at }: Outgoing, user: string | null): void =>
  keep(PREFIX + key, { key, place, text, at, tab, user } satisfies Kept);

const whoSaid = (key: string): string | null => kept<Kept>(PREFIX + key)?.user ?? null;

export function add(key: string, place: string, text: string): void {
  const one: Outgoing = { key, place, text, at: now(), state: "waiting", problem: null };
  store(one, readState().me?.user ?? null);
  saidNow(key);
  change((outbox) => [...outbox, one]);
}

export const find = (key: string): Outgoing | undefined =>
  readState().outbox.find((one) => one.key === key);

export function mark(key: string, changes: Pick<Outgoing, "state" | "problem">): void {
  change((outbox) => outbox.map((one) => (one.key === key ? { ...one, ...changes } : one)));
}

/** It is stored, or taken back: nothing is kept of it. */
export function drop(key: string): void {
  forget(PREFIX + key);
  change((outbox) => outbox.filter((one) => one.key !== key));
}

/** What is kept of messages that the store no longer holds goes, too. */
export function settle(before: readonly Outgoing[]): string[] {
  const left = new Set(readState().outbox.map(({ key }) => key));
  const gone = before.filter(({ key }) => !left.has(key)).map(({ key }) => key);
  for (const key of gone) forget(PREFIX + key);
  return gone;
}

/** A conversation has begun: what waits for its id has it now. */
export function movePlace(from: string, to: string): void {
  change((outbox) => outbox.map((one) => (one.place === from ? { ...one, place: to } : one)));
  for (const one of readState().outbox.filter(({ place }) => place === to)) {
    store(one, whoSaid(one.key));
  }
}

const everything = (): Kept[] =>
  keptNames(PREFIX)
    .map((name) => kept<Kept>(name))
    .filter((one) => one !== null);

/** Tabs that have something unsent, without this one. */
export const otherTabs = (): string[] => [
  ...new Set(
    everything()
      .map((one) => one.tab)
      .filter((one) => one !== tab),
  ),
];

/** Takes over what a tab has left: this one sends it from now on. */
export function adopt(from: string): void {
  const known = new Set(readState().outbox.map(({ key }) => key));
  const found = everything().filter((one) => one.tab === from && !known.has(one.key));
  if (!found.length) return;
  const taken = found.map(({ key, place, text, at, user }) => {
    const one: Outgoing = { key, place, text, at, state: "waiting", problem: null };
    store(one, user);
    return one;
  });
  lastAt = Math.max(lastAt, ...taken.map(({ at }) => at));
  change((outbox) => [...outbox, ...taken].sort((a, b) => a.at - b.at));
}

/** Whether whoever is signed in said it. */
export const isOwn = (key: string): boolean => isTheirs(key, whoSaid(key), readState().me?.user);

/** Nothing is kept of what was to be said in a conversation that is erased. */
export function dropPlace(place: string): void {
  for (const { key } of readState().outbox.filter((one) => one.place === place)) drop(key);
}
