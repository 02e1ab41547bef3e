import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/api/problem";
import type { Me, ServedHealth } from "../../src/api/shapes";
import { Banner } from "../../src/shell/Banner";
import { Notices } from "../../src/shell/Notices";
import * as actions from "../../src/state/actions";
import { tell, tellProblem } from "../../src/state/notices";
import { changeState } from "../../src/state/store";
import { list } from "./fake";

vi.mock("../../src/state/actions");

const SOMEBODY: Me = {
  user: "local",
  timezone: "UTC",
  model: "offline",
  chosen: [],
  name: "Ann",
  scopes: [],
  assistant: "Palaver",
};

beforeEach(() => {
  vi.useFakeTimers();
  list([]);
});
afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

describe("notices", () => {
  it("go by themselves, but not while somebody looks", () => {
    render(<Notices />);
    act(() => void tell("Archived.", { lasts: 5_000 }));
    pass(4_000);
    fireEvent.pointerEnter(screen.getByRole("region", { name: "Notices" }));
    pass(60_000);
    expect(screen.getByText("Archived.")).toBeTruthy();
    fireEvent.pointerLeave(screen.getByRole("region", { name: "Notices" }));
    pass(900);
    expect(screen.getByText("Archived.")).toBeTruthy();
    pass(200);
    expect(screen.queryByText("Archived.")).toBeNull();
  });

  it("are heard politely, and problems at once, with their remedy", () => {
    render(<Notices />);
    act(() => void tell("Archived."));
    act(() => void tellProblem(new Refused("x", "It broke.", "Try again.")));
    expect(screen.getByRole("status").textContent).toContain("Archived.");
    expect(screen.getByRole("alert").textContent).toContain("It broke. Try again.");
    pass(60_000);
    expect(screen.getByRole("alert").textContent).toContain("It broke.");
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.getByRole("alert").textContent).toBe("");
  });

  it("go on counting when the one with the focus has gone", () => {
    render(<Notices />);
    act(() => void tell("First."));
    act(() => void tell("Second."));
    const dismiss = screen.getAllByRole("button", { name: "Dismiss" })[0] as HTMLElement;
    act(() => dismiss.focus());
    pass(20_000);
    expect(screen.getByText("Second.")).toBeTruthy(); // they are being read
    fireEvent.click(dismiss);
    pass(7_000);
    expect(screen.queryByText("Second.")).toBeNull();
  });

  it("do what they offer, once", () => {
    render(<Notices />);
    const run = vi.fn();
    act(() => void tell("Archived.", { action: { label: "Undo", run } }));
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(run).toHaveBeenCalledTimes(1);
    expect(screen.queryByText("Archived.")).toBeNull();
  });

  it("offer to undo what is being erased", () => {
    history.replaceState(null, "", "/c/b");
    render(<Notices />);
    const erase = (wasShown: boolean) => {
      act(() => changeState({ erasing: [{ conversationId: "a", title: "Rust", wasShown }] }));
      expect(screen.getByText("“Rust” is being erased.")).toBeTruthy();
      fireEvent.click(screen.getByRole("button", { name: "Undo" }));
      expect(actions.undoErase).toHaveBeenLastCalledWith("a");
    };
    erase(false);
    expect(location.pathname).toBe("/c/b"); // another one was being looked at, and still is
    erase(true);
    expect(location.pathname).toBe("/c/a");
  });
});

describe("the banner", () => {
  const away = (since: number) =>
    changeState({
      connection: {
        kind: "away",
        since,
        nextTry: since + 500,
        because: new Refused("unreachable", "Palaver cannot be reached."),
      },
    });

  it("says nothing of a short break, and is calm about a long one", () => {
    render(<Banner />);
    act(() => away(Date.now()));
    pass(500);
    expect(screen.getByRole("status").textContent).toBe("");
    pass(600);
    expect(screen.getByRole("status").textContent).toContain(
      "Reconnecting… What you write is kept.",
    );
    fireEvent.click(screen.getByRole("button", { name: "Try now" }));
    expect(actions.tryNow).toHaveBeenCalled();
  });

  it("tells what is wrong with the index, but not that it finds words only", () => {
    const health = (detail: string) =>
      changeState({
        connection: { kind: "open" },
        health: {
          status: "degraded",
          detail,
          done: 0,
          total: 0,
          lost: [],
          started: {} as ServedHealth["started"],
        },
      });
    render(<Banner />);
    act(() => health("Only words are found, not meaning. There is no embedding model."));
    expect(screen.getByRole("status").textContent).toBe("");
    act(() => health("The index cannot be read."));
    expect(screen.getByRole("status").textContent).toContain("The index cannot be read.");
  });

  it("leads those who are signed out to the door", () => {
    changeState({ connection: { kind: "signed-out" }, me: SOMEBODY });
    render(<Banner />);
    const door = screen.getByRole("link", { name: "Sign in" });
    expect(door.getAttribute("href")).toMatch(/^\/login/);
  });
});
