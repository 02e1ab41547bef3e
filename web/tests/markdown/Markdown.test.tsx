import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "../../src/markdown/Markdown";

afterEach(cleanup);

function shown(text: string, streaming = false): HTMLElement {
  return render(<Markdown text={text} streaming={streaming} />).container;
}

test("the usual Markdown becomes what it says", () => {
  const page = shown(
    "# Head\n\nA **bold** word\nand a break.\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> said\n\n---\n",
  );
  expect(page.querySelector("h3")?.textContent).toBe("Head");
  expect(page.querySelector("strong")?.textContent).toBe("bold");
  expect(page.querySelector("br")).not.toBeNull();
  expect(screen.getByRole("img", { name: "Done" })).toBeDefined();
  expect(screen.getByRole("img", { name: "Not done" })).toBeDefined();
  expect(screen.getByRole("region", { name: "Table" }).querySelectorAll("td")).toHaveLength(2);
  expect(page.querySelector("td[align=right]")?.textContent).toBe("2");
  expect(page.querySelector("blockquote")?.textContent?.trim()).toBe("said");
  expect(page.querySelector("hr")).not.toBeNull();
});

test("an image is not fetched: it is a link that names its host", () => {
  const page = shown("![A cat](https://pictures.example/cat.png?q=secret)");
  expect(page.querySelector("img")).toBeNull();
  const link = screen.getByRole("link", { name: "Image: A cat — pictures.example" });
  expect(link.getAttribute("target")).toBe("_blank");
});

test("an image without an address of the web is only named", () => {
  const page = shown("![dot](data:image/png;base64,AAAA)");
  expect(page.querySelector("a")).toBeNull();
  expect(page.textContent).toBe("Image: dot — it has no address on the web");
});

test("an image that is a link, and a link without words, can be seen and followed", () => {
  shown(
    "[![Built](https://badges.example/ok.svg)](https://builds.example/7) [\u200b](https://blank.example)",
  );
  expect(screen.getByRole("link", { name: "builds.example" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Image: Built — badges.example" })).toBeDefined();
  expect(screen.getByRole("link", { name: "blank.example" })).toBeDefined();
});

test("a link tells nobody where it was clicked", () => {
  shown("[here](https://example.org/a)");
  const link = screen.getByRole("link", { name: "here" });
  expect(link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(link.getAttribute("referrerpolicy")).toBe("no-referrer");
  expect(link.getAttribute("target")).toBe("_blank");
});

test("a link that names another host shows its own", () => {
  const page = shown("[https://bank.example](https://evil.example/login)");
  expect(page.textContent).toBe("https://bank.example (evil.example)");
});

test("a link to a conversation stays in the page", () => {
  shown("[there](/c/conv-01HQXK5J7G8M3N4P5R6S7T8V9W#msg-01HQXK5J7G8M3N4P5R6S7T8V9W)");
  const link = screen.getByRole("link", { name: "there" });
  link.click();
  expect(location.pathname).toBe("/c/conv-01HQXK5J7G8M3N4P5R6S7T8V9W");
  expect(location.hash).toBe("#msg-01HQXK5J7G8M3N4P5R6S7T8V9W");
});

test("a link to an exchange stays in the page, too", () => {
  shown("[Bob](/external/ext-01HQXK5J7G8M3N4P5R6S7T8V9W)");
  screen.getByRole("link", { name: "Bob" }).click();
  expect(location.pathname).toBe("/external/ext-01HQXK5J7G8M3N4P5R6S7T8V9W");
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "/api/me",
  "//evil.example",
  "#x",
  "vbscript:x",
])("%s is no link", (address) => {
  const page = shown(`[text](${address})`);
  expect(page.querySelector("a")).toBeNull();
  expect(page.textContent).toBe("text");
});

test("HTML that is not allowed is read as text, and what is allowed loses its attributes", () => {
  const page = shown(
    'Use the <input name=x> tag and <b id=x style="color:red" onclick=y>this</b>.',
  );
  expect(page.textContent).toBe("Use the <input name=x> tag and this.");
  expect(page.querySelector("b")?.attributes).toHaveLength(0);
});

test("code has a language, a button and a place to scroll, wherever it stands", () => {
  const page = shown("```python\nprint('<b>')\n```\n\n4. item\n\n   ```sql\n   select\n   ```\n");
  expect(screen.getAllByRole("button", { name: "Copy code" })).toHaveLength(2);
  const region = screen.getByRole("region", { name: "Code in python" });
  expect(region.textContent).toBe("print('<b>')");
  expect(region.tabIndex).toBe(0);
  const nested = screen.getByRole("region", { name: "Code in sql" });
  expect(nested.textContent).toBe("select");
  expect(page.querySelector("ol[start='4']")?.contains(nested)).toBe(true);
});

test("code is coloured when its language is known", async () => {
  shown("```js\nconst a = '<i>';\n```");
  const region = screen.getByRole("region", { name: "Code in js" });
  await expect.poll(() => region.querySelector(".hljs-keyword")?.textContent).toBe("const");
  expect(region.textContent).toBe("const a = '<i>';");
});
