import { expect, test } from "vitest";
import { rangeIn, spanIn } from "../../src/ui/quoted";

const body = (html: string): HTMLElement => {
  const element = document.createElement("div");
  element.innerHTML = html;
  return element;
};

test("selected words are found as they were written", () => {
  expect(spanIn("I live in **Oslo** now.", "live in Oslo now")).toBe("live in **Oslo** now");
  expect(spanIn("- milk\n- eggs", "milk\neggs")).toBe("milk\n- eggs");
  expect(spanIn("a well-known snake_case", "well-known snake_case")).toBe("well-known snake_case");
  expect(spanIn("Nothing of it.", "Oslo")).toBeNull();
  expect(spanIn("What (is) this?", "(is) this?")).toBe("(is) this?");
  expect(spanIn("anything", "  ** ")).toBeNull();
});

test("quoted words are found on the page, across what is emphasised", () => {
  const said = body("<p>I live in <strong>Oslo</strong>, and like it.</p>");
  expect(rangeIn(said, "live in **Oslo**, and")?.toString()).toBe("live in Oslo, and");
  expect(rangeIn(body("<ul><li>milk</li><li>eggs</li></ul>"), "- milk\n- eggs")?.toString()).toBe(
    "milkeggs",
  );
  expect(rangeIn(said, "Berlin")).toBeNull();
  expect(rangeIn(body(""), "Oslo")).toBeNull();
});
