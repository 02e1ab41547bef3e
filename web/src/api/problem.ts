// What went wrong with a request: a code, a sentence and what to do about it.
import type { Problem } from "./shapes";

export class Refused extends Error {
  readonly code: string;
  readonly remedy: string;
  /** 0 when no answer came. */
  readonly status: number;
  /** Seconds to wait before trying again, where the server said so. */
  readonly retryAfter: number | null;

  constructor(
    code: string,
    message: string,
    remedy = "",
    status = 0,
    retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "Refused";
    this.code = code;
    this.remedy = remedy;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export const unreachable = (): Refused =>
  new Refused(
    "unreachable",
    "Palaver cannot be reached.",
    "It is tried again by itself. If this lasts, check that Palaver is running.",
  );

export async function refusal(response: Response): Promise<Refused> {
  const wait = Number(response.headers.get("Retry-After")) || null;
  try {
    const problem = (await response.json()) as Problem & { code: string; remedy?: string };
    return new Refused(
      problem.code,
      problem.detail ?? problem.title,
      problem.remedy ?? "",
      response.status,
      wait,
    );
  } catch {
    return new Refused(
      "bad_answer",
      `The answer was not understood (HTTP ${response.status}).`,
      "Reload the page.",
      response.status,
      wait,
    );
  }
}

/** Any error as something to tell a person. */
export function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Refused("page_mistake", `Something in the page went wrong: ${message}`, "Reload it.");
}
