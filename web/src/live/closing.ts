// Why a socket was closed, or a request refused, as something to tell a person.
import { Refused, unreachable } from "../api/problem";
import type { ServerMessage } from "./messages";

export const SIGNED_OUT = 4401;
const STOPPING = 1012;
const TRY_AGAIN = 1013;

const BACK_BY_ITSELF = "It is tried again by itself. What you write is kept.";

/** All else answers. */
export const noSocket = (): Refused =>
  new Refused("no_socket", "Palaver does not tell what is new at the moment.", BACK_BY_ITSELF);

type Trouble = Extract<ServerMessage, { type: "error" }>;

export const problemOf = ({ code, message, remedy, retryAfter }: Trouble): Refused =>
  new Refused(code, message, remedy, 0, retryAfter ?? null);

export function becauseOf(code: number, reason: string): Refused {
  switch (code) {
    case STOPPING:
      return new Refused("stopping", "Palaver is being stopped or restarted.", BACK_BY_ITSELF);
    case TRY_AGAIN:
      return new Refused(
        reason || "not_ready",
        "Palaver cannot show your conversations right now.",
        BACK_BY_ITSELF,
      );
    default:
      return unreachable();
  }
}
