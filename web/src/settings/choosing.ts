// What somebody chooses for themselves: kept by the server, and shown everywhere at once.
import { patch } from "../api/client";
import type { ChoicesBody, Me } from "../api/shapes";
import { changeState } from "../state/store";

export async function choose(choices: ChoicesBody): Promise<void> {
  changeState({ me: await patch<Me>("/api/me", choices) });
}
