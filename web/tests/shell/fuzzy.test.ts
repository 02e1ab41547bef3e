import { describe, expect, it } from "vitest";
import { fits, WEAK } from "../../src/shell/palette/fuzzy";

describe("how well words fit", () => {
  it("prefers the beginning, then the beginning of a word, then anywhere", () => {
    const texts = ["Go to Settings", "Settings of the model", "Resettings"];
    const ranked = [...texts].sort((a, b) => fits("settings", b) - fits("settings", a));
    expect(ranked).toEqual(["Settings of the model", "Go to Settings", "Resettings"]);
  });

  it("needs every word, in any order, without case and accents", () => {
    expect(fits("cafe tickets", "Tickets for the Café")).toBeGreaterThan(0);
    expect(fits("cafe trains", "Tickets for the Café")).toBe(0);
  });

  it("finds letters in order when they are close, and not when they are far", () => {
    expect(fits("ncnv", "New conversation")).toBeGreaterThan(0);
    expect(fits("nvt", "Never in a hundred years will this be meant")).toBe(0);
    expect(fits("xq", "New conversation")).toBe(0);
  });

  it("finds letters in order only from the beginning of a word", () => {
    expect(fits("log", "theme colours toggle")).toBe(0);
    expect(fits("grnlp", "The green lamp")).toBe(WEAK);
  });
});
