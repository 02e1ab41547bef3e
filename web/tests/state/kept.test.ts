import { afterEach, expect, it, vi } from "vitest";
import { forget, keep, kept } from "../../src/state/kept";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

function fill(): void {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
}

it("gives what was kept last, when the storage is full by then", () => {
  keep("draft", "short");
  fill();
  keep("draft", "short, and then a lot more");
  expect(kept("draft")).toBe("short, and then a lot more");
});

it("forgets what the storage did not take", () => {
  fill();
  keep("draft", "a lot");
  forget("draft");
  expect(kept("draft")).toBeNull();
});
