import { afterEach, describe, expect, it, vi } from "vitest";
import { chooseTheme, chosenTheme, onTheme } from "../../src/ui/theme";

afterEach(() => chooseTheme("system"));

describe("the theme", () => {
  it("is kept, and given to the page", () => {
    chooseTheme("dark");
    expect(localStorage.getItem("palaver.theme")).toBe("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    chooseTheme("system");
    expect(localStorage.getItem("palaver.theme")).toBeNull();
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });

  it("follows another tab", () => {
    const told = vi.fn();
    const stop = onTheme(told);
    localStorage.setItem("palaver.theme", "light");
    window.dispatchEvent(new StorageEvent("storage", { key: "palaver.theme" }));
    expect(told).toHaveBeenCalled();
    expect(chosenTheme()).toBe("light");
    stop();
  });

  it("holds without a storage", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("forbidden");
    });
    chooseTheme("dark");
    expect(chosenTheme()).toBe("dark");
  });
});
