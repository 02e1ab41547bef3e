import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { LoadMore } from "../../src/shell/LoadMore";

/** The end of the list is always in sight. */
class Seen {
  readonly #told: IntersectionObserverCallback;
  constructor(told: IntersectionObserverCallback) {
    this.#told = told;
  }
  observe() {
    const entries = [{ isIntersecting: true }] as IntersectionObserverEntry[];
    setTimeout(() => this.#told(entries, this as unknown as IntersectionObserver));
  }
  disconnect() {}
}

afterEach(() => vi.unstubAllGlobals());

const moment = () => act(() => new Promise((resume) => setTimeout(resume, 50)));

it("asks again after a failure only when somebody says so", async () => {
  vi.stubGlobal("IntersectionObserver", Seen);
  const load = vi.fn(async () => false);
  render(<LoadMore load={load} />);
  await moment();
  expect(load).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(load).toHaveBeenCalledTimes(2);
});
