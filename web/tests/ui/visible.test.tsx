import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Visible } from "../../src/ui/Visible";

const shown = (text: string) => render(<Visible text={text} />).container;

test("what turns the direction of text is shown, and has no effect", () => {
  const container = shown("invoice\u202efdp.exe");
  expect(container.textContent).toBe("invoiceRLOfdp.exe");
  expect(container.querySelector("span")?.title).toContain("U+202E");
});

test("what joins emoji and letters stays part of them", () => {
  expect(shown("👩\u200d💻 می\u200cخواهم").textContent).toBe("👩\u200d💻 می\u200cخواهم");
  expect(shown("a\u200db").textContent).toBe("aZWJb");
});

test("lines and markup stay text", () => {
  const container = shown("<b>one</b>\n\ttwo\u0000");
  expect(container.textContent).toBe("<b>one</b>\n\ttwoU+0000");
  expect(container.querySelector("b")).toBeNull();
});
