// A page as it is loaded: its modules begin anew, and what the browser keeps is still there.
import { vi } from "vitest";

export async function openPage() {
  vi.resetModules();
  const [actions, { readState, changeState }, drafts] = await Promise.all([
    import("../../src/state/actions"),
    import("../../src/state/store"),
    import("../../src/state/drafts"),
  ]);
  return { ...actions, ...drafts, state: readState, changeState };
}

export type Page = Awaited<ReturnType<typeof openPage>>;

/** Lets so many milliseconds pass. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
