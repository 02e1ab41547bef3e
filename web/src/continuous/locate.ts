// Which day a message of the continuous conversation stands on.
import { get } from "../api/client";
import { asRefused } from "../api/problem";
import type { ContinuousExcerpt } from "../api/shapes";

/** null if it is there no more. Throws `Refused`. */
export async function dayOfMessage(messageId: string): Promise<string | null> {
  try {
    const query = { messageId, limit: 1 };
    const { messages } = await get<ContinuousExcerpt>("/api/continuous/messages", query);
    return messages.find((one) => one.messageId === messageId)?.dayLabel ?? null;
  } catch (error) {
    const { status } = asRefused(error);
    if (status === 404 || status === 400) return null;
    throw error;
  }
}
