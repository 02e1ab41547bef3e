import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Marked } from "../../src/search/Marked";

const marks = (text: string, ranges: unknown[][]) => {
  const { container } = render(<Marked text={text} ranges={ranges} />);
  expect(container.textContent).toBe(text);
  return [...container.querySelectorAll("mark")].map((mark) => mark.textContent);
};

test("ranges count characters, as the server does", () => {
  expect(marks("😀😀 the login bug", [[7, 12]])).toEqual(["login"]);
});

test("several ranges are marked, in their order", () => {
  expect(
    marks("a login, a cookie", [
      [2, 7],
      [11, 17],
    ]),
  ).toEqual(["login", "cookie"]);
});

test("ranges that make no sense mark nothing twice", () => {
  expect(marks("a login", [[2, 7], [4, 6], ["x"], []])).toEqual(["login"]);
});

test("markup stays text", () => {
  expect(marks("<img src=x onerror=alert(1)>", [[1, 4]])).toEqual(["img"]);
});
