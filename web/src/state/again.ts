// Replies made again, messages said otherwise, and replies stopped.
import { request } from "../api/client";
import { asRefused } from "../api/problem";
import type { Reply } from "../api/shapes";
import { newKey } from "./ids";
import { line } from "./line";
import { path } from "./loading";
import { dropReply, markStopping } from "./replies";
import { changeState, readState, useStore } from "./store";
import { withMessage, without } from "./transcripts";
import { notice } from "./trouble";

const TRIES = 4;
const BETWEEN = 1_500;

/** Asks until an answer comes: with the same key, asking again is harmless. */
async function insist(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (asRefused(error).code !== "unreachable" || tries === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, BETWEEN * tries));
    }
  }
}

const at = (id: string, messageId: string): string =>
  `${path(id)}/messages/${encodeURIComponent(messageId)}`;

function put({ reply }: Reply): void {
  changeState((state) => {
    const before = state.transcripts[reply.conversationId];
    if (!before) return {};
    const transcript = withMessage(before, reply);
    return { transcripts: { ...state.transcripts, [reply.conversationId]: transcript } };
  });
}

/** What keeps a model from answering stands where the answer would; all else is told. */
function refused(id: string, error: unknown): void {
  const problem = asRefused(error);
  if (!problem.code.startsWith("model_")) notice(problem);
  else changeState(({ replyProblems }) => ({ replyProblems: { ...replyProblems, [id]: problem } }));
}

export async function regenerate(id: string, messageId: string): Promise<void> {
  const body = { key: newKey() };
  changeState(({ replyProblems }) => ({ replyProblems: without(replyProblems, id) }));
  try {
    put(await insist(() => request("POST", `${at(id, messageId)}/regenerate`, { body })));
  } catch (error) {
    refused(id, error);
  }
}

/** Says the last own message otherwise. Returns as soon as that is stored, or refused. */
export function editMessage(id: string, messageId: string, text: string): Promise<boolean> {
  const body = { content: text, key: newKey() };
  return new Promise((resolve) => {
    // The answer comes with the reply; that it is stored is told before.
    const stop = useStore.subscribe(({ transcripts }) => {
      if (transcripts[id]?.messages.some(({ supersedes }) => supersedes === messageId))
        resolve(true);
    });
    const ask = async (): Promise<void> => {
      try {
        put(await insist(() => request("PUT", at(id, messageId), { body })));
        resolve(true);
      } catch (error) {
        refused(id, error);
        resolve(false);
      } finally {
        stop();
      }
    };
    void ask();
  });
}

export function stopReply(id: string): void {
  markStopping(id, true);
  line()
    ?.ask({ type: "stop_reply", conversationId: id })
    .catch((error: unknown) => {
      const problem = asRefused(error);
      if (problem.code === "not_found") {
        dropReply(id); // it has ended already
        changeState(({ replying }) => ({ replying: without(replying, id) }));
      } else {
        markStopping(id, false);
        if (readState().connection.kind === "open") notice(problem);
      }
    });
}
