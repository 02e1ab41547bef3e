import { cleanup, render, screen } from "@testing-library/react";
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
