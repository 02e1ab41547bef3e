// What the messages of a conversation need to know of it, and what they may ask of it.
import { createContext, useContext } from "react";
import type { Message } from "../api/shapes";

export interface Talking {
  id: string;
  /** Whether one may say something here. */
  canWrite: boolean;
  canErase: boolean;
  /** Whether something can be made a memory. */
  canRemember: boolean;
  /** Who said something matters: there are several people, or channels. */
  isMixed: boolean;
  /** Where it was said matters, too. */
  hasChannels: boolean;
  /** The message that is being edited. */
  editing: string | null;
  edit: (messageId: string | null) => void;
  erase: (message: Message) => void;
  /** Opens what the model saw for a turn. */
  look: (turn: number) => void;
  regenerate: (message: Message) => void;
  say: (text: string) => void;
}

const nothing = () => {};

export const TalkingContext = createContext<Talking>({
  id: "",
  canWrite: false,
  canErase: false,
  canRemember: false,
  isMixed: false,
  hasChannels: false,
  editing: null,
  edit: nothing,
  erase: nothing,
  look: nothing,
  regenerate: nothing,
  say: nothing,
});

export const useTalking = (): Talking => useContext(TalkingContext);
