import { expect, test } from "vitest";
import { inlineText, linesText } from "../../src/markdown/plain";

test.each([
  ["# A *title* with `code`", "A title with code"],
  ["One\ntwo\n\n- three\n- four", "One two three four"],
  ["[text](https://example.org) ![alt](https://example.org/x.png)", "text alt"],
  ["Tom &amp; Jerry &#8211; &unknown; `&amp;`", "Tom & Jerry – &unknown; &amp;"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"],
  ["<b>bold</b> and <input>", "<b>bold</b> and <input>"],
  ["```js\nlet a\n```", "let a"],
  ["> quoted\n> twice", "quoted twice"],
  ["- [x] done", "done"],
  ["2 \\* 3", "2 * 3"],
  ["", ""],
])("%j is %j in plain words", (markdown, words) => {
  expect(inlineText(markdown)).toBe(words);
});

test("the points of a list are told one behind the other", () => {
  expect(linesText("- The `Set-Cookie` line\n\n- *Safari* only\n")).toBe(
    "The Set-Cookie line · Safari only",
  );
});
