import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { pressed, SHORTCUTS, shown, useShortcut } from "../../src/ui/keys";

const press = (key: string, more: KeyboardEventInit = {}) =>
  new KeyboardEvent("keydown", { key, ...more });

describe("keys", () => {
  it("are shown as they stand on the keyboard", () => {
    expect(shown("mod+k", false)).toBe("Ctrl K");
    expect(shown("mod+shift+o", true)).toBe("⌘ ⇧ O");
    expect(shown("arrowdown", false)).toBe("↓");
  });

  it("are pressed exactly, or not at all", () => {
    expect(pressed(press("k", { ctrlKey: true }), "mod+k", false)).toBe(true);
    expect(pressed(press("k", { metaKey: true }), "mod+k", true)).toBe(true);
    expect(pressed(press("k", { metaKey: true }), "mod+k", false)).toBe(false);
    expect(pressed(press("K", { ctrlKey: true, shiftKey: true }), "mod+k", false)).toBe(false);
    expect(pressed(press("?", { shiftKey: true }), "?", false)).toBe(true);
    expect(pressed(press("˜", { altKey: true, code: "KeyN" }), "alt+n", true)).toBe(true);
  });

  it("are given once each", () => {
    const all = Object.values(SHORTCUTS).flatMap((one) =>
      one.keys.map((keys) => `${one.where} ${keys}`),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

function Listening({ help, palette }: { help: () => void; palette: () => void }) {
  useShortcut("help", help);
  useShortcut("palette", palette);
  return <input aria-label="Box" />;
}

describe("a shortcut", () => {
  it("leaves single keys to those who write, and takes the others", async () => {
    const help = vi.fn();
    const palette = vi.fn();
    const { getByLabelText } = render(<Listening help={help} palette={palette} />);
    await userEvent.keyboard("?");
    expect(help).toHaveBeenCalledTimes(1);
    await userEvent.type(getByLabelText("Box"), "what?");
    expect(help).toHaveBeenCalledTimes(1);
    expect(getByLabelText("Box")).toHaveProperty("value", "what?");
    await userEvent.keyboard("{Control>}k{/Control}");
    expect(palette).toHaveBeenCalledTimes(1);
  });

  it("waits while a dialog asks something", async () => {
    const help = vi.fn();
    render(
      <>
        <Listening help={help} palette={help} />
        <dialog open>Sure?</dialog>
      </>,
    );
    await userEvent.keyboard("?");
    expect(help).not.toHaveBeenCalled();
  });
});
