// Memories: who wants to know that one has changed.
import { told } from "./told";

const changes = told();

/** Called when some memory has changed. Returns how to stop listening. */
export const onMemories = changes.on;

export const memoriesChanged = (): void => changes.tell();
