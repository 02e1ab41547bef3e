import { expect, test } from "vitest";
import { plainSnippet } from "../../src/markdown/snippet";

const marked = (text: string, ranges: number[][]) => {
  const plain = plainSnippet(text, ranges);
  const characters = Array.from(plain.text);
  return [plain.text, plain.ranges.map(([from, to]) => characters.slice(from, to).join(""))];
};

test.each([
  ["A day of *rain*.", [[10, 14]], "A day of rain.", ["rain"]],
  ["A day of *rain*.", [[9, 15]], "A day of rain.", ["rain"]],
  [
    "🌧 _so_ much `rain`",
    [
      [3, 5],
      [13, 17],
    ],
    "🌧 so much rain",
    ["so", "rain"],
  ],
  [
    "[rain](https://rain.org) 2 * 3",
    [
      [1, 5],
      [15, 19],
    ],
    "rain 2 * 3",
    ["rain"],
  ],
  ["rain", [[0, 9], [9, 12], ["a"]], "rain", ["rain"]],
  ["\ue000rain\ue001", [], "\ufffdrain\ufffd", []],
])("%j with %j is plain", (text, ranges, words, marks) => {
  expect(marked(text, ranges as number[][])).toEqual([words, marks]);
});
