// The line to the server: the one connection of this page, for all who say something by it.
import type { Connection } from "../live/connection";
import type { ClientMessage } from "../live/messages";
import { isNewPlace } from "./ids";
import type { State } from "./model";
import { changeState, readState } from "./store";
import { losePerson } from "./who";

let connection: Connection | null = null;
/** What the server takes this tab to show; undefined when that is not known. */
let looksAt: string | null | undefined;

export function setLine(next: Connection | null): void {
  connection = next;
  looksAt = undefined;
}

export const line = (): Connection | null => connection;

export const isLooking = (id: string | null): boolean => looksAt === id;

export function lookedAt(id: string | null | undefined): void {
  looksAt = id;
}

/** Nobody is there to answer anything. */
const ABSENT = new Set(["unreachable", "stopping"]);

/** Whether there is no socket, and all else answers. */
export function isByRest(): boolean {
  const { connection: standing } = readState();
  return standing.kind === "away" && !ABSENT.has(standing.because.code);
}

/** A request said so: the socket, which may not have heard it yet, is left as well. */
export function signedOut(): void {
  connection?.leave();
  stands({ kind: "signed-out" });
}

export function stands(standing: State["connection"]): void {
  if (standing.kind === "signed-out") losePerson();
  changeState({ connection: standing });
}

/** Which conversation this tab shows, if the server knows it. */
export function shownId(): string | null {
  const { shown, missing } = readState();
  return shown !== null && !isNewPlace(shown) && !missing[shown] ? shown : null;
}

/** The request that makes the server look where this tab looks. */
export function look(): ClientMessage {
  const id = shownId();
  looksAt = id;
  return id === null
    ? { type: "new_conversation" }
    : { type: "switch_conversation", conversationId: id };
}
