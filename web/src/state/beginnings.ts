// Conversations begin with a message: until that is stored they have a local id only.
import { moveDraft } from "./drafts";
import { CONTINUOUS, isNewPlace } from "./ids";
import { movePlace } from "./outbox";
import { changeState, readState } from "./store";

type Listener = (place: string, id: string) => void;
const listeners = new Set<Listener>();

/** Called with (place, id) when a conversation has begun: `place` is its local id, or the
 * conversation in which somebody asked for a new one with “/new”. Returns how to stop listening. */
export function onBegan(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function began(place: string, id: string): void {
  if (isNewPlace(place)) {
    movePlace(place, id);
    moveDraft(place, id);
  }
  if (readState().shown === place) changeState({ shown: id });
  for (const listener of listeners) listener(place, id);
}

/** The local id of a conversation whose first message still waits, the latest one, if there is
 * any: after a reload it is shown again. */
export const beginningPlace = (): string | null =>
  readState().outbox.findLast(({ place }) => isNewPlace(place) && place !== CONTINUOUS)?.place ??
  null;
