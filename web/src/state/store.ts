// The store: one state for the whole page. Components read it with `useStore(selector)`.
import { create } from "zustand";
import type { State } from "./model";

export const EMPTY: State = {
  connection: { kind: "connecting" },
  me: null,
  models: null,
  health: null,
  channels: [],
  conversations: {},
  listed: [],
  isListed: false,
  listCursor: null,
  shown: null,
  transcripts: {},
  missing: {},
  replying: {},
  replyProblems: {},
  outbox: [],
  unread: {},
  erasing: [],
  erasingMessages: [],
  forgetting: [],
  forgotten: [],
  notices: [],
};

export const useStore = create<State>()(() => EMPTY);

export const readState = useStore.getState;
export const changeState = useStore.setState;
