import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Message } from "../../src/api/shapes";
import { Made } from "../../src/conversation/Made";

afterEach(cleanup);

const used = (...names: string[]) =>
  ({
    status: "complete",
    content: "Done.",
    thinkingText: null,
    toolCalls: names.map((toolName) => ({ toolName, input: {}, output: "" })),
  }) as unknown as Message;

test("calls of the same tool that follow each other are told once", () => {
  render(<Made message={used("search", "fetch", "fetch", "fetch", "search")} />);
  expect(screen.getAllByText(/^Used /).map(({ textContent }) => textContent)).toEqual([
    "Used search",
    "Used fetch, 3 times",
    "Used search",
  ]);
});

test("what Palaver's own tools did is told in words, and any name is only a name", async () => {
  render(<Made message={used("memory_search", "constructor")} />);
  expect(screen.getByText("Used constructor")).toBeDefined();
  await userEvent.click(screen.getByText("Searched the memories"));
  expect(screen.getByText("The tool is called memory_search.")).toBeDefined();
});
