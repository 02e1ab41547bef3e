// What goes in a moment, unless Undo is pressed: memories, exchanges, drafts.
import { keepDraft } from "./drafts";
import type { Forgetting } from "./model";
import { changeState } from "./store";
import { notice } from "./trouble";
import { askLater, callOff, tellReceipt } from "./undoing";

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
  askLater<T & Done>(id, one, (answer) => finish(forgetting, told, answer));
}

function restore(id: string): void {
  changeState((state) => ({ forgetting: state.forgetting.filter((one) => one.id !== id) }));
}

export function undoForget(id: string): void {
  callOff(id);
  restore(id);
}

async function finish<T>(
  { id, ids, changed }: Forgetting,
  told: (done: T) => string,
  answer: Promise<T & Done>,
): Promise<void> {
  try {
    const done = await answer;
    for (const one of ids) keepDraft(one, "");
    changeState(({ forgotten }) => ({ forgotten: [...forgotten, ...ids] }));
    tellReceipt(told(done), done.remains);
  } catch (error) {
    notice(error);
  }
  restore(id);
  changed();
}
