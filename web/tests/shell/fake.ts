// Conversations and a state for tests.
import type { ConversationMeta } from "../../src/api/shapes";
import type { State } from "../../src/state/model";
import { changeState, EMPTY } from "../../src/state/store";
import * as data from "../fake/data";

export const conversation = (id: string, more: Partial<ConversationMeta> = {}): ConversationMeta =>
  data.conversation({
    id,
    title: `Title ${id}`,
    created: "2026-11-01T00:00:00Z",
    updated: "2026-11-17T11:00:00Z",
    turnCount: 1,
    ...more,
  });

/** The state as it is when these are listed. */
export function list(all: readonly ConversationMeta[], more: Partial<State> = {}): void {
  changeState(
    {
      ...EMPTY,
      connection: { kind: "open" },
      isListed: true,
      conversations: Object.fromEntries(all.map((one) => [one.id, one])),
      listed: all.filter((one) => !one.archived).map((one) => one.id),
      ...more,
    },
    true,
  );
}
