import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fillBox } from "../../src/conversation/box";
import { Composer } from "../../src/conversation/Composer";
import * as actions from "../../src/state/actions";
import { draftOf, forgetDrafts, keepDraft } from "../../src/state/drafts";
import { changeState, EMPTY } from "../../src/state/store";

const send = vi.fn();
const editLast = vi.fn();

beforeEach(() => {
  localStorage.clear();
  forgetDrafts();
  changeState(EMPTY, true);
  vi.spyOn(actions, "send").mockImplementation(send);
  vi.spyOn(actions, "isNewPlace").mockImplementation((place) => place.startsWith("new-"));
  send.mockReset();
  editLast.mockReset();
});
afterEach(cleanup);

const shown = (place = "conv-1") => render(<Composer place={place} onEditLast={editLast} />);
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send" });

describe("the box", () => {
  it("sends with Enter, and begins a line with Shift and Enter", async () => {
    shown();
    await userEvent.type(box(), "one{Shift>}{Enter}{/Shift}two{Enter}");
    expect(send).toHaveBeenCalledExactlyOnceWith("conv-1", "one\ntwo");
    expect(box().value).toBe("");
    expect(draftOf("conv-1")).toBe("");
  });

  it("sends nothing blank", async () => {
    shown();
    expect(button().disabled).toBe(true);
    await userEvent.type(box(), "  {Enter}");
    expect(send).not.toHaveBeenCalled();
    await userEvent.type(box(), "x");
    expect(button().disabled).toBe(false);
  });

  it("keeps what is typed when it is left at once", () => {
    const { unmount } = shown();
    fireEvent.change(box(), { target: { value: "half a thought" } });
    unmount();
    expect(draftOf("conv-1")).toBe("half a thought");
  });

  it("leaves Enter to an input method that composes", () => {
    shown();
    fireEvent.change(box(), { target: { value: "にほん" } });
    fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(box(), { key: "Enter", keyCode: 229 });
    expect(send).not.toHaveBeenCalled();
  });

  it("refuses more than a message can hold, before it is sent", () => {
    shown();
    fireEvent.change(box(), { target: { value: "x".repeat(1024 * 1024 + 1) } });
    expect(screen.getByRole("alert").textContent).toContain("1 MiB");
    expect(button().disabled).toBe(true);
    fireEvent.keyDown(box(), { key: "Enter" });
    expect(send).not.toHaveBeenCalled();
  });

  it("keeps what is typed, for each conversation", async () => {
    keepDraft("conv-2", "half a thou");
    const { unmount } = shown("conv-2");
    expect(box().value).toBe("half a thou");
    await userEvent.type(box(), "ght");
    fireEvent.blur(box());
    unmount();
    expect(draftOf("conv-2")).toBe("half a thought");
    shown("conv-1");
    expect(box().value).toBe("");
  });

  it("moves what was typed when the conversation has begun", async () => {
    const { rerender } = shown("new-1");
    await userEvent.type(box(), "and then");
    rerender(<Composer place="conv-9" onEditLast={editLast} />);
    expect(box().value).toBe("and then");
    expect(draftOf("conv-9")).toBe("and then");
    expect(draftOf("new")).toBe("");
  });

  it("takes up the last message with ArrowUp, but only when it is empty", async () => {
    shown();
    await userEvent.type(box(), "x{ArrowUp}");
    expect(editLast).not.toHaveBeenCalled();
    await userEvent.clear(box());
    await userEvent.type(box(), "{ArrowUp}");
    expect(editLast).toHaveBeenCalledOnce();
  });

  it("takes what others put into it behind what is there", async () => {
    shown();
    fillBox("Yes");
    expect(box().value).toBe("Yes");
    fillBox("> No\n\n");
    expect(box().value).toBe("Yes\n\n> No\n\n");
    expect(document.activeElement).toBe(box());
  });

  it("lists commands, and takes one by keyboard", async () => {
    shown();
    await userEvent.type(box(), "/");
    expect(screen.getAllByRole("option")).toHaveLength(5);
    await userEvent.type(box(), "{ArrowDown}{Enter}");
    expect(box().value).toBe("/model ");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(send).not.toHaveBeenCalled();
    await userEvent.clear(box());
    await userEvent.type(box(), "/help{Enter}");
    expect(send).toHaveBeenCalledExactlyOnceWith("conv-1", "/help");
  });

  it("stops the reply that is being made, once", async () => {
    const stop = vi.spyOn(actions, "stopReply").mockImplementation(() => {});
    const replying = { messageId: "m", turnNumber: 1, text: "", thinking: "", tools: [] };
    changeState({ replying: { "conv-1": { ...replying, stopping: false } } });
    const { rerender } = shown();
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(stop).toHaveBeenCalledExactlyOnceWith("conv-1");
    changeState({ replying: { "conv-1": { ...replying, stopping: true } } });
    rerender(<Composer place="conv-1" onEditLast={editLast} />);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Stopping…" }).disabled).toBe(
      true,
    );
  });
});
