// Days of the continuous conversation: each is a stretch of it.
import { CONTINUOUS } from "./ids";
import { show } from "./loading";
import { movePlace } from "./outbox";
import { changeState, readState } from "./store";
import { told } from "./told";
import { type DayStretch, dayStretch, kept } from "./transcripts";

const changes = told<string>();

/** Called with the day whose summary has changed. Returns how to stop listening. */
export const onSummary = changes.on;

export const summaryUpdated = changes.tell;

/** This tab shows a day, as it was loaded. On one that has no message yet, the end is loaded. */
export async function showDay(day: DayStretch): Promise<void> {
  const id = day.conversationId;
  if (id === null) return show(CONTINUOUS);
  // What was said before it had an id, and still waits, is said here.
  movePlace(CONTINUOUS, id);
  const { conversations, transcripts } = readState();
  // After the newest day comes today, though nothing may have been said on it.
  const known = day.messages.at(-1)?.turnNumber ?? 0;
  const isEnd = day.nextDay === null || known >= (conversations[id]?.turnCount ?? Infinity);
  const stretch = dayStretch(day, isEnd, transcripts[id]);
  const last = stretch.messages.at(-1);
  if (last) {
    changeState((state) => ({
      shown: id,
      transcripts: kept({ ...state, shown: id }, id, stretch),
    }));
  }
  await show(id, last?.id);
}
