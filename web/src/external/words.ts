// Exchanges in words: who it is with, how far they are trusted, and what is done for them.
import type { Message } from "../api/shapes";
import type { External, Policy, Trust } from "./shapes";

export interface Told {
  name: string;
  about: string;
}

export interface Doing extends Told {
  does: string;
}

export const TRUST: Record<Trust, Told> = {
  known: {
    name: "Known",
    about: "You know who they are. A model may answer them, if you allow it.",
  },
  untrusted: {
    name: "Not trusted",
    about: "Nobody vouches for them. A model never answers them without you.",
  },
};

export const POLICY: Record<Policy, Doing> = {
  answer: {
    name: "Answer",
    about: "A model answers at once. It is given this exchange and the text below, nothing else.",
    does: "A model answers them.",
  },
  draft: {
    name: "Draft",
    about: "A model writes a reply, and you approve, edit or reject it. Nothing is sent before.",
    does: "A model writes a reply, and you decide whether it is sent.",
  },
  acknowledge: {
    name: "Acknowledge",
    about: "They are told once that it was received. You are asked what to do.",
    does: "They are told once that it was received, and you are asked.",
  },
  ignore: {
    name: "Ignore",
    about: "It is kept here. They are told nothing, and you are not asked.",
    does: "It is kept here. They are told nothing.",
  },
};

/** What a newer server names is called so. */
export const trustOf = (trust: string): Told =>
  Object.hasOwn(TRUST, trust) ? TRUST[trust as Trust] : { name: trust, about: "" };
export const policyOf = (policy: string): Doing =>
  Object.hasOwn(POLICY, policy)
    ? POLICY[policy as Policy]
    : { name: policy, about: "", does: policy };

/** How somebody is called: by the name that they gave, else by what the channel knows them by. */
export const whoIs = ({ name, party }: Pick<External, "name" | "party">): string =>
  name?.trim() || party;

/** Who said something in an exchange. */
export function saidBy(message: Message, external: External): string {
  if (message.role === "user") return message.sender || whoIs(external);
  if (message.author?.kind === "owner") return "You";
  return message.author?.kind === "system" ? "Automatic reply" : "Reply";
}

export const isTheirs = ({ role }: Message): boolean => role === "user";
