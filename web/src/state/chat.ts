// Saying something by REST: what is too long for the socket, and while there is none.
import { refusal, unreachable } from "../api/problem";
import { problemOf } from "../live/closing";
import type { ServerMessage } from "../live/messages";

interface Said {
  message: string;
  key: string;
  conversationId?: string;
}

/** Returns when it is stored, or a command is answered. `hear` is told that; and what there is of
 * the reply as it comes, until `isTold` says that the socket tells it. It is made to its end,
 * whether anybody listens here or not. */
export async function sayByRest(
  said: Said,
  hear: (message: ServerMessage) => void,
  isTold: () => boolean,
  path = "/api/chat",
): Promise<void> {
  const events = readEvents(said, path);
  const { value: first } = await events.next();
  if (!first) throw unreachable(); // the connection broke before
  if (first.type === "error") throw problemOf(first);
  hear(first);
  const place = first.type === "message_accepted" ? first.message.conversationId : null;
  void listen(events, place, hear, isTold);
}

async function listen(
  events: AsyncGenerator<ServerMessage>,
  conversationId: string | null,
  hear: (message: ServerMessage) => void,
  isTold: () => boolean,
): Promise<void> {
  try {
    while (!isTold()) {
      const { value, done } = await events.next();
      if (done) break;
      if (value.type === "error" && conversationId !== null) hear({ ...value, conversationId });
      else hear(value);
    }
  } catch {
    // Cut off: what is stored is told when the socket is there again.
  } finally {
    await events.return(undefined).catch(() => {});
  }
}

/** The events of the answer. Throws `Refused`. */
async function* readEvents(said: Said, path: string): AsyncGenerator<ServerMessage> {
  const reader = await ask(said, path);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (reader) {
      const { done, value } = await reader.read().catch(() => {
        throw unreachable();
      });
      if (done) return;
      const parts = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) yield eventOf(part);
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

async function ask(
  said: Said,
  path: string,
): Promise<ReadableStreamDefaultReader<Uint8Array> | undefined> {
  const response = await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(said),
  }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await refusal(response);
  return response.body?.getReader();
}

function eventOf(part: string): ServerMessage {
  const lines = part.split("\n");
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  return { ...JSON.parse(field("data")), type: field("event") } as ServerMessage;
}
