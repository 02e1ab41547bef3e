import { vi } from "vitest";

let now = Date.now();

/** Some minutes later: what is kept for a short while is forgotten. Timers go on as they do. */
export function later(): void {
  now += 5 * 60_000;
  vi.useFakeTimers({ toFake: ["Date"], now });
}
