import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Splitter } from "../../src/markdown/blocks";
import { Markdown } from "../../src/markdown/Markdown";

afterEach(cleanup);

function kinds(text: string): string[] {
  return new Splitter().split(text, false).map((block) => block.kind);
}

test("a paragraph that is too long to be prose is shown as it was written", () => {
  expect(kinds(`before\n\n${"**word** ".repeat(5_000)}\n\nafter`)).toEqual([
    "prose",
    "plain",
    "prose",
  ]);
});

test("a long list is shown in parts that go on counting", () => {
  const list = Array.from({ length: 300 }, (_, n) => `1. The item that is the ${n + 1}th`);
  const blocks = new Splitter().split(list.join("\n"), false);
  expect(blocks.length).toBeGreaterThan(1);
  const { container } = render(<Markdown text={list.join("\n")} />);
  expect(container.querySelectorAll("li")).toHaveLength(300);
  const parts = [...container.querySelectorAll("ol")];
  const counted = parts.slice(0, -1).reduce((sum, part) => sum + part.children.length, 1);
  expect(parts.at(-1)?.start).toBe(counted);
});

test("what nests without end is shown as it was written", () => {
  const deep = `${">".repeat(50_000)} deep`;
  expect(kinds(deep)).toEqual(["plain"]);
  expect(render(<Markdown text={deep} />).container.textContent).toBe(deep);
});

test.each(["-".repeat(80), "- ".repeat(40), "* * * * * * * * * * * * * *", "=".repeat(80)])(
  "%j is no nesting",
  (line) => {
    expect(kinds(`Title\n${line}\n\ntext`)).not.toContain("plain");
  },
);

test("a text of 100 kB begins at once, and is whole after some frames", async () => {
  const text = Array.from({ length: 1_000 }, (_, n) => `Paragraph ${n} ${"word ".repeat(18)}`);
  const { container } = render(<Markdown text={text.join("\n\n")} />);
  const first = container.querySelectorAll("p").length;
  expect(first).toBeGreaterThan(100);
  expect(first).toBeLessThan(300);
  await expect.poll(() => container.querySelectorAll("p").length, { timeout: 15_000 }).toBe(1_000);
}, 20_000);
