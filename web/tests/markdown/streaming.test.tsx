import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type Block, Splitter } from "../../src/markdown/blocks";
import { Markdown } from "../../src/markdown/Markdown";

afterEach(cleanup);

const SAMPLE = `Intro with **bold** and [one][ref].

# Head
Text
- a
- b

  more of b
    - deep

1. x
2. y

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`
Setext
======
Foo
#x
> quote
lazy

<div>raw</div>

    indented

[ref]: https://example.org
End.
`;

function wholly(text: string): Block[] {
  return new Splitter().split(text, false);
}

test("a text that grows by a letter is read like one that came at once", () => {
  const splitter = new Splitter();
  for (let end = 0; end <= SAMPLE.length; end++) {
    expect(splitter.split(SAMPLE.slice(0, end), false), SAMPLE.slice(0, end)).toEqual(
      wholly(SAMPLE.slice(0, end)),
    );
  }
});

test("another text is read afresh", () => {
  const splitter = new Splitter();
  splitter.split("One\n\ntwo\n\nthree", false);
  expect(splitter.split("Two\n\nthree", false)).toEqual(wholly("Two\n\nthree"));
});

test("blocks that are finished keep their nodes while the last one grows", () => {
  const { container, rerender } = render(<Markdown text="One.\n\nTw" streaming />);
  const start = "One.\n\n```js\nlet a";
  rerender(<Markdown text={start} streaming />);
  const first = container.querySelector("p");
  const code = container.querySelector("pre");
  rerender(<Markdown text={`${start} = 1;\n\`\`\`\n\nEnd`} streaming />);
  rerender(<Markdown text={`${start} = 1;\n\`\`\`\n\nEnd.`} />);
  expect(container.querySelector("p")).toBe(first);
  expect(container.querySelector("pre")).toBe(code);
  expect(code?.textContent).toBe("let a = 1;");
});

test.each([
  ["A **bo", "A bo", "strong"],
  ["A `co", "A co", "code"],
  ["A *it", "A it", "em"],
  ["A **bold *and", "A bold and", "strong em"],
  ["See [the docs](https://exam", "See the docs", "p"],
  ["See ![a cat](https://exam", "See a cat", "p"],
  ["| a | b |\n|--", "ab", "table"],
  ["| a | b |\n", "ab", "table"],
  ["Items:\n-", "Items:", "p"],
  ["Text **", "Text", "p"],
  ["Done:\n\n- **a", "Done:a", "li strong"],
])("%j looks finished while it is written", (text, words, selector) => {
  const { container } = render(<Markdown text={text} streaming />);
  expect(container.textContent?.replaceAll("\n", "").trim()).toBe(words);
  expect(container.querySelector(selector)).not.toBeNull();
});

test.each([
  "2 * 3",
  "a * b * c",
  "snake_case_name",
  "a\\*b",
  "`**`",
  "5 < 6 ~~ 7",
  "[x] y",
  "1 ** 2",
  "a *b **c*** d",
])("%j is left as it is", (text) => {
  const growing = render(<Markdown text={text} streaming />).container.innerHTML;
  const whole = render(<Markdown text={text} />).container.innerHTML;
  expect(growing).toBe(whole);
});

test("a fence that is about to close shows no mark of it", () => {
  const { container } = render(<Markdown text={"```js\nlet a;\n``"} streaming />);
  expect(container.querySelector("pre")?.textContent).toBe("let a;");
});

test("emphasis that is closed stays closed when a space follows", () => {
  const { container } = render(<Markdown text="It **is** " streaming />);
  expect(container.querySelector("strong")?.textContent).toBe("is");
  expect(container.textContent?.trim()).toBe("It is");
});
