// What the owner decides about exchanges. Those that may be refused in a form throw `Refused`; the
// others tell it.
import { patch, post } from "../api/client";
import type { Message, Receipt } from "../api/shapes";
import { externalsChanged, forgetLater } from "../state/actions";
import { tell } from "../state/notices";
import { counted } from "../ui/numbers";
import { PATH } from "./needing";
import type { AnswerBody, Change, Decided, DecisionBody, Draft, External } from "./shapes";
import { whoIs } from "./words";

export const externalPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const draftPath = (id: string, draftId: string): string =>
  `${externalPath(id)}/drafts/${encodeURIComponent(draftId)}`;

/** Throws `Refused`. */
export async function change(id: string, body: Change): Promise<External> {
  const changed = await patch<External>(externalPath(id), body);
  externalsChanged();
  return changed;
}

/** Sends the owner's own words, once for each key. Throws `Refused`. */
export async function answer(external: External, text: string, key: string): Promise<void> {
  const body: AnswerBody = { text, key };
  await post<Message>(`${externalPath(external.id)}/messages`, body);
  tell(`Your answer to ${whoIs(external)} is being sent.`);
  externalsChanged();
}

/** Sends a draft, or other words instead. Throws `Refused`. */
export async function sendDraft(external: External, draft: Draft, text?: string): Promise<void> {
  const body: DecisionBody =
    text === undefined ? { decision: "approve" } : { decision: "edit", text };
  try {
    await post<Decided>(draftPath(external.id, draft.id), body);
    tell(`The reply to ${whoIs(external)} is being sent.`);
  } finally {
    externalsChanged(); // also when it was decided elsewhere
  }
}

export function rejectDraft(external: External, draft: Draft): void {
  forgetLater<Decided>(
    {
      text: `The reply to ${whoIs(external)} is being rejected.`,
      method: "POST",
      path: draftPath(external.id, draft.id),
      query: {},
      body: { decision: "reject" },
      ids: [draft.id],
      changed: externalsChanged,
    },
    () => `Rejected the reply to ${whoIs(external)}. Nothing was sent.`,
  );
}

/** With the drafts in it: nothing stays of what was half typed for them either. */
export function eraseExternal(external: External, drafts: readonly Draft[]): void {
  forgetLater<Receipt>(
    {
      text: `The exchange with ${whoIs(external)} is being erased.`,
      method: "DELETE",
      path: externalPath(external.id),
      query: {},
      ids: [external.id, ...drafts.map(({ id }) => id)],
      changed: externalsChanged,
    },
    ({ messages }) =>
      `Erased ${counted(messages, "message")} of the exchange with ${whoIs(external)}.`,
  );
}
