// What the page calls the shapes of exchanges that the server tells, and all there are of each kind.
import type { External } from "../api/shapes";

export type {
  AnswerBody,
  Decided,
  DecisionBody,
  DraftReply as Draft,
  External,
  ExternalChangeBody as Change,
  ExternalPage as Listed,
  ExternalView as View,
  Withheld,
} from "../api/shapes";

export type Trust = External["trust"];
export const TIERS = ["known", "untrusted"] as const satisfies readonly Trust[];

export type Policy = External["policy"];
export const POLICIES = [
  "answer",
  "draft",
  "acknowledge",
  "ignore",
] as const satisfies readonly Policy[];
