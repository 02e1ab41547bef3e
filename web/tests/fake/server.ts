// A server for tests: answers by path, and remembers what was asked.
import { vi } from "vitest";

export interface Fake {
  /** Each request, as "GET /api/…". */
  asked: string[];
  /** Bodies, in the order of `asked`. */
  bodies: unknown[];
}

/** The longest beginning of "METHOD /path?query" that is known answers; a number is a refusal. */
export function serve(answers: Record<string, unknown>): Fake {
  const fake: Fake = { asked: [], bodies: [] };
  const answer = async (url: string, { method = "GET", body }: RequestInit = {}) => {
    const asked = `${method} ${url}`;
    fake.asked.push(asked);
    fake.bodies.push(body ? JSON.parse(String(body)) : undefined);
    const [known] = Object.keys(answers)
      .filter((begin) => asked.startsWith(begin))
      .sort((one, other) => other.length - one.length);
    const found = known === undefined ? 404 : answers[known];
    return typeof found === "number"
      ? Response.json(
          { code: "refused", detail: "It was refused.", remedy: "Try it later." },
          { status: found },
        )
      : Response.json(found);
  };
  vi.stubGlobal("fetch", vi.fn(answer));
  return fake;
}
