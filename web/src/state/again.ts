// Replies made again, messages said otherwise, and replies stopped.
import { post, request } from "../api/client";
import { asRefused } from "../api/problem";
import type { Reply, Stopped } from "../api/shapes";
import { newKey } from "./ids";
import { line, shownId } from "./line";
import { loadByRest, path } from "./loading";
import { endReply, markStopping } from "./replies";
import { changeState, readState, useStore } from "./store";
import { withMessage, without } from "./transcripts";
import { notice } from "./trouble";

const TRIES = 4;
const BETWEEN = 1_500;
/** Long enough for a connection that comes back. */
const STOP_TRIES = 20;

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
  const messageId = readState().replying[id]?.messageId;
  if (messageId === undefined) return;
  markStopping(id, true);
  void stop(id, messageId);
}

/** Without a socket it is asked by REST, and while nobody answers again and again, as long as it
 * is that reply. */
async function stop(id: string, messageId: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await askToStop(id))) endReply(id);
      return;
    } catch (error) {
      const problem = asRefused(error);
      if (problem.code === "not_found") return endReply(id);
      if (problem.code !== "unreachable" || tries === STOP_TRIES) {
        markStopping(id, false);
        return notice(problem);
      }
    }
    await new Promise((resume) => setTimeout(resume, BETWEEN));
    if (isOver(id, messageId)) return;
  }
}

/** Whether there was a reply to stop. */
async function askToStop(id: string): Promise<boolean> {
  const socket = line();
  if (!socket?.isOpen) {
    const { stopped } = await post<Stopped>(`${path(id)}/stop`);
    if (id === shownId()) await loadByRest(id).catch(() => {}); // told when the socket is there
    return stopped;
  }
  await socket.ask({ type: "stop_reply", conversationId: id });
  return true;
}

/** It is stored, or another one is being made. */
function isOver(id: string, messageId: string): boolean {
  const { replying, transcripts } = readState();
  const made = replying[id]?.messageId;
  if (made !== undefined) return made !== messageId;
  return transcripts[id]?.messages.some((one) => one.id === messageId) ?? false;
}
