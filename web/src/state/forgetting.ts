// What goes in a moment, unless Undo is pressed: memories, exchanges, drafts.
import { address, request } from "../api/client";
import type { Forgetting } from "./model";
import { tell } from "./notices";
import { changeState } from "./store";
import { notice } from "./trouble";

const UNDO_WITHIN = 6_000;
const RECEIPT_LASTS = 12_000;

const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; one: Forgetting }>();
let last = 0;

/** What the server says when it is done. */
interface Done {
  remains?: readonly string[];
}

/** Takes something off the screen, and has it go after a few seconds; then `told` is told. */
export function forgetLater<T>(one: Omit<Forgetting, "id">, told: (done: T) => string): void {
  last += 1;
  const id = `forgetting-${last}`;
  const forgetting = { ...one, id };
  changeState((state) => ({ forgetting: [...state.forgetting, forgetting] }));
  const timer = setTimeout(() => void finish(forgetting, told), UNDO_WITHIN);
  timers.set(id, { timer, one: forgetting });
}

function restore(id: string): void {
  changeState((state) => ({ forgetting: state.forgetting.filter((one) => one.id !== id) }));
}

export function undoForget(id: string): void {
  clearTimeout(timers.get(id)?.timer);
  timers.delete(id);
  restore(id);
}

async function finish<T>(one: Forgetting, told: (done: T) => string): Promise<void> {
  const { id, method, path, query, body } = one;
  timers.delete(id);
  try {
    const done = await request<T & Done>(method, path, {
      query,
      ...(body === undefined ? {} : { body }),
    });
    changeState(({ forgotten }) => ({ forgotten: [...forgotten, ...one.ids] }));
    const remedy = (done.remains ?? []).join(" ");
    tell(told(done), { remedy, lasts: RECEIPT_LASTS });
  } catch (error) {
    notice(error);
  }
  restore(id);
  one.changed();
}

/** The page is left: what was to go in a moment goes now. */
export function forgetNow(): void {
  for (const [id, { timer, one }] of timers) {
    clearTimeout(timer);
    timers.delete(id);
    const { method, path, query, body } = one;
    const options: RequestInit = {
      method,
      credentials: "same-origin",
      keepalive: true,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    };
    void fetch(address(path, query), options).catch(() => {}); // then it is still there
  }
}
