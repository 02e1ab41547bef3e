// Changes to a conversation: its title, whether it is archived or pinned, and who answers in it.
import { patch } from "../api/client";
import type { ChangeBody, ConversationMeta } from "../api/shapes";
import { withConversation } from "./lists";
import { path } from "./loading";
import { tell } from "./notices";
import { changeState, readState } from "./store";
import { notice } from "./trouble";

function put(id: string, changes: Partial<ConversationMeta>): void {
  changeState((state) => {
    const meta = state.conversations[id];
    return meta ? withConversation(state, { ...meta, ...changes }) : {};
  });
}

/** Shows it at once, and takes it back when the server refuses. */
async function change(id: string, body: ChangeBody): Promise<boolean> {
  const before = readState().conversations[id];
  put(id, body);
  try {
    const meta = await patch<ConversationMeta>(path(id), body);
    changeState((state) => withConversation(state, meta));
    return true;
  } catch (error) {
    if (before) {
      const names = Object.keys(body) as (keyof ChangeBody)[];
      put(id, Object.fromEntries(names.map((name) => [name, before[name]])));
    }
    notice(error);
    return false;
  }
}

export const rename = (id: string, title: string): Promise<boolean> => change(id, { title });

export async function archive(id: string, archived: boolean): Promise<void> {
  const title = readState().conversations[id]?.title || "New conversation";
  if (!(await change(id, { archived }))) return;
  tell(
    archived ? `Archived “${title}”. It can still be found.` : `“${title}” is in the list again.`,
    {
      action: { label: "Undo", run: () => void change(id, { archived: !archived }) },
    },
  );
}

export async function pin(id: string, pinned: boolean): Promise<void> {
  await change(id, { pinned });
}

/** null returns to the user's own model. */
export async function chooseModel(id: string, model: string | null): Promise<void> {
  await change(id, { model });
}
