import { describe, expect, it } from "vitest";
import { bytes, count, counted, dollars, percent } from "../../src/ui/numbers";

describe("numbers with their units", () => {
  it("counts", () => {
    expect(count(1234)).toBe("1,234");
    expect(counted(1, "message")).toBe("1 message");
    expect(counted(0, "message")).toBe("0 messages");
    expect(counted(1234, "reply", "replies")).toBe("1,234 replies");
  });

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [12_345_678, "12.3 MB"],
    [999_960, "1 MB"],
    [5e15, "5,000 TB"],
  ])("%d bytes are %s", (size, words) => {
    expect(bytes(size)).toBe(words);
  });

  it.each([
    [0, "$0"],
    [0.0042, "$0.0042"],
    [0.05, "$0.050"],
    [1.5, "$1.50"],
    [0.000_000_4, "$0.00000040"],
    [1234.5, "$1,234.50"],
  ])("%d costs %s", (value, words) => {
    expect(dollars(value)).toBe(words);
  });

  it("says parts in per cent", () => {
    expect(percent(0.4217)).toBe("42.2 %");
  });
});
