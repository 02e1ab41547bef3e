// Exchanges with outsiders: who wants to know that one has changed.
import { told } from "./told";

const changes = told();

/** Called when some exchange has changed. Returns how to stop listening. */
export const onExternals = changes.on;

export const externalsChanged = (): void => changes.tell();
