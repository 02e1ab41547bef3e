import { expect, test } from "vitest";
import { excerpt, head } from "../../src/ui/excerpt";

test("marks the quotation inside its message", () => {
  expect(excerpt("It rains. The roof leaks. Call him.", "The roof leaks.")).toEqual({
    before: "It rains. ",
    quote: "The roof leaks.",
    after: " Call him.",
  });
});

test("finds a quotation that is spaced otherwise, and takes no sign in it for a pattern", () => {
  expect(excerpt("Is it (really)\n  $5.00?", "(really) $5.00?").quote).toBe("(really)\n  $5.00?");
});

test("shows the beginning if the quotation is not there, or there is none", () => {
  expect(excerpt("Short.", "Something else")).toEqual({ before: "Short.", quote: "", after: "" });
  expect(excerpt("Short.", null).before).toBe("Short.");
});

test("cuts what is long at words, on both sides", () => {
  const long = "word ".repeat(60);
  const { before, quote, after } = excerpt(`${long}HERE ${long}`, "HERE");
  expect(quote).toBe("HERE");
  expect(before.startsWith("…word")).toBe(true);
  expect(after.endsWith("word…")).toBe(true);
  expect(before.length + after.length).toBeLessThan(200);
});

test("cuts one endless word rather than showing all of it", () => {
  expect(head("x".repeat(1000), 50).length).toBeLessThanOrEqual(51);
});
