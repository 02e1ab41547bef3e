// The moment in which something can be undone, before the server is asked; and what it says then.
import { type Method, type Query, request } from "../api/client";
import { tell } from "./notices";

const UNDO_WITHIN = 6_000;
const RECEIPT_LASTS = 12_000;

export interface Asked {
  method: Method;
  path: string;
  query?: Query;
  body?: unknown;
}

interface Waiting {
  timer: ReturnType<typeof setTimeout>;
  /** Asks the server. `isLeft`: also when nobody is there any more to hear the answer. */
  run: (isLeft: boolean) => void;
}

const waiting = new Map<string, Waiting>();

/** Asks in a few seconds, unless that is called off by its id; `finish` gets what comes of it. */
export function askLater<T>(
  id: string,
  { method, path, query = {}, body }: Asked,
  finish: (answer: Promise<T>) => Promise<void>,
): void {
  const run = (keepalive: boolean) => {
    callOff(id);
    const options = { query, keepalive, ...(body === undefined ? {} : { body }) };
    void finish(request<T>(method, path, options));
  };
  waiting.set(id, { timer: setTimeout(run, UNDO_WITHIN, false), run });
}

export function callOff(id: string): void {
  clearTimeout(waiting.get(id)?.timer);
  waiting.delete(id);
}

/** The page is left: what was to go in a moment goes now. */
export function askNow(): void {
  for (const { run } of [...waiting.values()]) run(true);
}

/** `remains` is what the server cannot reach, and when that goes. */
export function tellReceipt(text: string, remains: readonly string[] = []): void {
  tell(text, { remedy: remains.join(" "), lasts: RECEIPT_LASTS });
}
