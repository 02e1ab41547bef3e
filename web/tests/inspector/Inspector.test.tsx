import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import type { Memory } from "../../src/api/shapes";
import Inspector from "../../src/inspector/Inspector";
import { slices } from "../../src/inspector/parts";
import { changeState, EMPTY, readState } from "../../src/state/store";
import { later } from "../fake/clock";
import { conversation, ID, message, packet } from "../fake/data";
import { serve } from "../fake/server";

beforeEach(() => {
  later();
  changeState({ ...EMPTY, conversations: { [ID]: conversation() } }, true);
});

const PATH = "GET /api/conversations/conv-1/context";
const MESSAGES = "GET /api/conversations/conv-1/messages";

function Opened({ first = null }: { first?: number | null }) {
  const [turn, setTurn] = useState<number | null>(first);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <Inspector id={ID} turn={turn} onTurn={setTurn} onClose={() => setOpen(false)} />}
    </>
  );
}

async function open(first: number | null = null) {
  render(<Opened first={first} />);
  await userEvent.click(screen.getByText("Open"));
}

test("the pieces of the bar add up to the budget", () => {
  const given = packet();
  const all = slices(given);
  expect(all.map(({ tokens }) => tokens)).toEqual([300, 500, 1200]);
  expect(all.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(given.budget);
});

test("each piece says its number", async () => {
  serve({ [PATH]: packet() });
  await open();
  expect(await screen.findByRole("button", { name: "Summary: 300 tokens, 15 %" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Messages: 500 tokens, 25 %" })).toBeDefined();
  expect(screen.getByText("Free: 1,200 tokens, 60 %")).toBeDefined();
  expect(screen.getByText("800 tokens")).toBeDefined();
});

test("a small part of a large budget is shown larger, too", async () => {
  serve({ [PATH]: packet({ budget: 100_000 }) });
  await open();
  expect(await screen.findByRole("button", { name: "Summary: 300 tokens, 0.3 %" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Summary: 300 tokens, 37.5 %" })).toBeDefined();
});

test("a piece opens its part: its words, and the messages with the way there", async () => {
  serve({ [PATH]: packet(), [MESSAGES]: { messages: [message()] } });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Summary/ }));
  const link = await screen.findByRole("link", { name: /You .*The roof leaks above/ });
  expect(link.getAttribute("href")).toBe("/c/conv-1#msg-1");
  expect(screen.getByText("The roof leaks.", { selector: "blockquote" })).toBeDefined();
});

test("an erased source is told", async () => {
  serve({ [PATH]: packet(), [MESSAGES]: 404 });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Messages/ }));
  expect(await screen.findByText("A message that has been erased")).toBeDefined();
});

test("what is left out is told with its reason", async () => {
  serve({ [PATH]: packet() });
  await open();
  expect(await screen.findByText("4 earlier messages are not among the messages.")).toBeDefined();
  expect(screen.getByText(/do not fit into 2,000 tokens: 4/)).toBeDefined();
});

test("the messages are there letter for letter", async () => {
  const call = { role: "assistant", content: null, tool_calls: [{ id: "call-1" }] };
  serve({ [PATH]: packet({ messages: [{ role: "user", content: "  <b>hi</b>\n" }, call] }) });
  await open(2);
  await userEvent.click(await screen.findByText(/Exactly as/));
  await waitFor(() => expect(document.querySelectorAll("pre")).toHaveLength(2));
  const sent = [...document.querySelectorAll("pre")].map((pre) => pre.textContent);
  expect(sent[0]).toBe("  <b>hi</b>\n");
  expect(sent[1]).toContain('"call-1"');
});

test("steps from the next message to the turns and back", async () => {
  const server = serve({ [PATH]: packet() });
  await open();
  const steps: [string, string, string][] = [
    ["Previous turn", "What the model saw in turn 3", `${PATH}?turn=3`],
    ["Previous turn", "What the model saw in turn 2", `${PATH}?turn=2`],
    ["Next turn", "What the model saw in turn 3", `${PATH}?turn=3`],
    ["Next message", "What the model would see next", PATH],
  ];
  for (const [button, heading, asked] of steps) {
    await userEvent.click(screen.getByRole("button", { name: button }));
    expect(screen.getByRole("heading", { name: heading })).toBeDefined();
    expect(server.asked.at(-1)).toBe(asked);
  }
});

test("says so if nothing was kept for a turn", async () => {
  serve({});
  await open(2);
  expect(await screen.findByText(/Nothing was kept for turn 2/)).toBeDefined();
});

test("previews a message, which is not sent", async () => {
  const server = serve({ [PATH]: packet() });
  await open();
  await userEvent.type(screen.getByLabelText(/message you might send/), "And the rain?");
  await userEvent.click(screen.getByRole("button", { name: "Show" }));
  await waitFor(() => expect(server.asked.at(-1)).toBe(`${PATH}?message=And+the+rain%3F`));
  expect(server.asked.every((one) => one.startsWith("GET"))).toBe(true);
});

test("what comes next changes with the conversation", async () => {
  const server = serve({ [PATH]: packet() });
  await open();
  await screen.findByText("800 tokens");
  changeState({ conversations: { [ID]: conversation({ turnCount: 4 }) } });
  await waitFor(() => expect(server.asked).toHaveLength(2));
});

test("copies as JSON", async () => {
  const user = userEvent.setup();
  serve({ [PATH]: packet() });
  render(<Opened />);
  await user.click(screen.getByText("Open"));
  await user.click(await screen.findByRole("button", { name: "Copy as JSON" }));
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual(packet());
  expect(readState().notices.at(-1)?.text).toBe("Copied the context as JSON.");
});

test("the focus goes in, and returns", async () => {
  serve({ [PATH]: packet() });
  await open();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: /would see next/ }));
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(document.activeElement).toBe(screen.getByText("Open"));
});

test("the memories it takes along lead to where they are kept", async () => {
  const memories = [
    {
      id: "mem-1",
      content: "Moved to Oslo.",
      pinned: true,
      validFrom: null,
      created: "2026-03-04T10:00:00Z",
    } as Memory,
  ];
  const section = { name: "memories" as const, tokens: 100, budget: 300, sources: [] };
  serve({ [PATH]: packet({ memories, sections: [section] }) });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Memories: 100 tokens/ }));
  const link = screen.getByRole("link", { name: /Moved to Oslo/ });
  expect(link.getAttribute("href")).toBe("/memories?memory=mem-1");
});
