import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { changeState, EMPTY } from "../../src/state/store";
import { Footnote } from "../../src/ui/Footnote";
import { later } from "../fake/clock";
import { ID, message } from "../fake/data";
import { serve } from "../fake/server";

beforeEach(() => {
  later();
  changeState(EMPTY, true);
  history.replaceState(null, "", "/");
});

const shown = (quote: string | null = "The roof leaks") =>
  render(<Footnote number={3} conversationId={ID} messageId="msg-1" quote={quote} />);
const mark = () => screen.getByRole("link", { name: "Source 3" });

test("focus shows who said it and the sentence in its message; Escape closes", async () => {
  const server = serve({ "GET /api/conversations/conv-1/messages": { messages: [message()] } });
  shown();
  await userEvent.tab();
  expect(document.activeElement).toBe(mark());
  const card = await screen.findByRole("note", { hidden: true });
  expect((await screen.findByText("The roof leaks")).tagName).toBe("MARK");
  expect(card.textContent).toContain("You");
  expect(card.textContent).toContain("above the kitchen");
  expect(server.asked).toEqual(["GET /api/conversations/conv-1/messages?around=msg-1&limit=1"]);
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("note", { hidden: true })).toBeNull();
});

test("asks nobody for a message that is on the screen", async () => {
  const server = serve({});
  const transcript = { messages: [message()], hasEarlier: false, hasLater: false, loading: null };
  changeState({ transcripts: { [ID]: transcript } });
  shown();
  await userEvent.tab();
  await screen.findByText("The roof leaks");
  expect(server.asked).toEqual([]);
});

test("asks once for the same message", async () => {
  const server = serve({ "GET /api/conversations/conv-1/messages": { messages: [message()] } });
  shown();
  await userEvent.tab();
  await screen.findByText("The roof leaks");
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  await screen.findByText("The roof leaks");
  expect(server.asked).toHaveLength(1);
});

test("says so if the source was erased", async () => {
  serve({
    "GET /api/conversations/conv-1/messages": {
      messages: [message({ status: "redacted", content: "" })],
    },
  });
  shown();
  await userEvent.tab();
  expect(await screen.findByText("This message has been erased.")).toBeDefined();
});

test("says so if the source is there no more", async () => {
  serve({});
  shown();
  await userEvent.tab();
  expect(await screen.findByText("The message it came from has been erased.")).toBeDefined();
});

test("still shows the quotation if the message cannot be fetched, and what to do", async () => {
  serve({ "GET /api/conversations/conv-1/messages": 503 });
  shown();
  await userEvent.tab();
  expect((await screen.findByText("The roof leaks")).tagName).toBe("MARK");
  expect(screen.getByText(/Try it later/)).toBeDefined();
});

test("a click goes to the message", async () => {
  serve({ "GET /api/conversations/conv-1/messages": { messages: [message()] } });
  shown();
  await userEvent.click(mark());
  expect(location.pathname + location.hash).toBe("/c/conv-1#msg-1");
  expect(screen.queryByRole("note", { hidden: true })).toBeNull();
});

test("on touch the first tap shows the card, which leads to the message", async () => {
  serve({ "GET /api/conversations/conv-1/messages": { messages: [message()] } });
  shown();
  fireEvent.pointerDown(mark(), { pointerType: "touch" });
  fireEvent.click(mark());
  expect(location.pathname).toBe("/");
  await screen.findByText("The roof leaks");
  fireEvent.click(screen.getByText("Go to message"));
  expect(location.pathname + location.hash).toBe("/c/conv-1#msg-1");
});
