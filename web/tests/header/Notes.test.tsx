import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Notes } from "../../src/header/Notes";
import { conversation } from "../fake/data";
import { serve } from "../fake/server";

const source = (messageId: string) => ({
  messageId,
  quote: null,
  turn: 1,
  kind: "fact",
  by: "user",
  point: null,
});
const part = (...points: [string, string[]][]) => ({
  text: points.map(([text]) => text).join("\n"),
  points: points.map(([text, ids]) => ({ text, sources: ids.map(source) })),
  by: "offline",
  made: "2026-11-10T14:05:00Z",
  through: 9,
});
const PATH = "GET /api/conversations/conv-1/digest";
const EMPTY = { titleSources: [], abbreviation: null, rollingSummary: null };

async function open() {
  render(<Notes conversation={conversation()} />);
  await userEvent.click(screen.getByRole("button", { name: "Notes" }));
}

test("every line has its marks, and the numbers run through all of the notes", async () => {
  serve({
    [PATH]: {
      ...EMPTY,
      abbreviation: part(
        ["The **roof** leaks.", ["msg-1", "msg-2"]],
        ["He was called.", ["msg-3"]],
      ),
      rollingSummary: part(["It rained.", ["msg-4"]]),
      titleSources: [source("msg-1")],
    },
  });
  await open();
  await screen.findByText(/The roof leaks/);
  const marks = screen.getAllByRole("link", { name: /^Source/, hidden: true });
  expect(marks.map((mark) => [mark.textContent, mark.getAttribute("href")])).toEqual([
    ["1", "/c/conv-1#msg-1"],
    ["2", "/c/conv-1#msg-2"],
    ["3", "/c/conv-1#msg-3"],
    ["4", "/c/conv-1#msg-4"],
    ["5", "/c/conv-1#msg-1"],
  ]);
  expect(screen.getAllByText(/Up to turn 9, made offline/)).toHaveLength(2);
});

test("says when there will be notes", async () => {
  serve({ [PATH]: EMPTY });
  await open();
  expect(await screen.findByText(/Notes appear when/)).toBeDefined();
});

test("a failure can be tried again", async () => {
  const answers: Record<string, unknown> = { [PATH]: 503 };
  serve(answers);
  await open();
  expect(await screen.findByText(/It was refused/)).toBeDefined();
  answers[PATH] = EMPTY;
  await userEvent.click(screen.getByText("Try again"));
  expect(await screen.findByText(/Notes appear when/)).toBeDefined();
});
