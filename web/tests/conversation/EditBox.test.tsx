import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { EditBox } from "../../src/conversation/EditBox";
import * as actions from "../../src/state/actions";
import { forgetDrafts } from "../../src/state/drafts";
import { message } from "../state/samples";

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edited text" });

it("keeps what is half typed until it is saved, and leaves Enter to an input method", async () => {
  forgetDrafts();
  const edit = vi.spyOn(actions, "editMessage").mockResolvedValue(true);
  const own = message("conv-1", 1, { content: "Before" });
  const { unmount } = render(<EditBox message={own} />);
  fireEvent.change(box(), { target: { value: "After" } });
  fireEvent.keyDown(box(), { key: "Enter", keyCode: 229 });
  expect(edit).not.toHaveBeenCalled();
  unmount();
  expect(localStorage.getItem(`palaver.draft.${own.id}`)).toBe('"After"');
  render(<EditBox message={own} />);
  expect(box().value).toBe("After");
  fireEvent.keyDown(box(), { key: "Enter" });
  expect(edit).toHaveBeenCalledWith("", own.id, "After");
  await vi.waitFor(() => expect(localStorage.getItem(`palaver.draft.${own.id}`)).toBeNull());
});
