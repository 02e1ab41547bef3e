import { expect, test } from "vitest";
import { next } from "../../src/search/walking";

test("keys walk from the box through the results and back, and not beyond", () => {
  expect(next("ArrowDown", -1, 3)).toBe(0);
  expect(next("j", 1, 3)).toBe(2);
  expect(next("ArrowDown", 2, 3)).toBeNull();
  expect(next("k", 1, 3)).toBe(0);
  expect(next("ArrowUp", 0, 3)).toBe(-1);
  expect(next("Home", 2, 3)).toBe(0);
  expect(next("End", 0, 3)).toBe(2);
});

test("in the box, Home and End are the box's, and other keys are nobody's", () => {
  expect(next("Home", -1, 3)).toBeNull();
  expect(next("End", -1, 3)).toBeNull();
  expect(next("x", 1, 3)).toBeNull();
});
