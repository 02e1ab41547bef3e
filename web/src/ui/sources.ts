// The messages that something stands on: from the screen if they are there, else from the server.
// What was fetched is kept for a minute only, so that erased words do not live on here.
import { get } from "../api/client";
import { apiPath } from "../api/paths";
import { asRefused } from "../api/problem";
import type { Message, MessagePage } from "../api/shapes";
import { readState } from "../state/store";

const KEPT = 60_000;
const MOST = 200;
const fetched = new Map<string, { message: Message; until: number }>();

const onScreen = (conversationId: string, id: string): Message | undefined =>
  readState().transcripts[conversationId]?.messages.find((one) => one.id === id);

function kept(id: string): Message | undefined {
  const found = fetched.get(id);
  if (found && found.until > Date.now()) return found.message;
  fetched.delete(id);
  return undefined;
}

/** A message that is here already. */
export const sourceHere = (conversationId: string, id: string): Message | undefined =>
  onScreen(conversationId, id) ?? kept(id);

async function fetchAround(conversationId: string, id: string, limit: number): Promise<void> {
  const path = apiPath(conversationId, "messages");
  try {
    const { messages } = await get<MessagePage>(path, { around: id, limit });
    const until = Date.now() + KEPT;
    for (const message of messages) fetched.set(message.id, { message, until });
  } catch (error) {
    if (asRefused(error).status !== 404) throw error; // it is there no more
  }
}

/** Null if it is there no more. Throws `Refused`. */
export async function findSource(conversationId: string, id: string): Promise<Message | null> {
  if (!sourceHere(conversationId, id)) await fetchAround(conversationId, id, 1);
  return sourceHere(conversationId, id) ?? null;
}

/** Those of the messages that are there, by id. They often stand together: each request brings
 * the neighbours, too. Throws `Refused`. */
export async function findSources(
  conversationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  const found = new Map<string, Message>();
  let missing = [...ids];
  while (missing.length > 0) {
    const [first] = missing;
    missing = missing.filter((id) => {
      const message = sourceHere(conversationId, id);
      if (message) found.set(id, message);
      return !message;
    });
    if (first === undefined || missing.length === 0) break;
    if (missing[0] === first) {
      const limit = Math.min(MOST, 2 * missing.length + 1);
      await fetchAround(conversationId, first, limit);
      if (!sourceHere(conversationId, first)) missing.shift();
    }
  }
  return found;
}
