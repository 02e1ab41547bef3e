import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ConversationHeader } from "../../src/header/ConversationHeader";
import * as actions from "../../src/state/actions";
import { beginRenaming, endRenaming, typeName } from "../../src/state/renaming";
import { changeState, EMPTY } from "../../src/state/store";
import { conversation, ID } from "../fake/data";
import { type Fake, serve } from "../fake/server";

vi.mock("../../src/state/actions");

const LOOP = {
  kind: "promise",
  text: "I will call the roofer",
  messageId: "msg-2",
  turnNumber: 1,
  owedBy: "assistant",
  ref: null,
};
const STATE = {
  conversationId: ID,
  pendingClarifications: [],
  openLoops: [LOOP],
  activeJobRefs: [],
  provisional: false,
};
const info = (name: string, connected: boolean, price: number | null = null) => ({
  name,
  model: name,
  provider: "somebody",
  connected,
  window: 200_000,
  inputPrice: price,
  outputPrice: price === null ? null : price * 5,
  kind: name === "offline" ? "offline" : "connected",
});

let server: Fake;
beforeEach(() => {
  server = serve({ "GET /api/conversations/conv-1/state": STATE });
  endRenaming(ID);
  history.replaceState(null, "", "/c/conv-1");
  changeState(
    { ...EMPTY, conversations: { [ID]: conversation({ topics: ["roof", "rain"] }) } },
    true,
  );
});

const shown = (onContext = vi.fn()) => {
  render(<ConversationHeader id={ID} onContext={onContext} />);
  return onContext;
};
const change = (more: Parameters<typeof conversation>[0]) =>
  changeState({ conversations: { [ID]: conversation(more) } });
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const rename = () => vi.mocked(actions.rename);

test("the title is the heading, and topics lead to what is about them", () => {
  shown();
  expect(screen.getByRole("heading", { level: 1, name: "The roof" })).toBeDefined();
  expect(document.title).toBe("The roof · Palaver");
  expect(screen.getByRole("link", { name: "rain" }).getAttribute("href")).toBe("/search?q=rain");
});

test("a conversation that has not begun has a heading, too", () => {
  render(<ConversationHeader id="new-1" onContext={vi.fn()} />);
  expect(screen.getByRole("heading", { level: 1, name: "New conversation" })).toBeDefined();
  expect(server.asked).toEqual([]);
});

test("Enter saves another title, once", async () => {
  rename().mockResolvedValue(true);
  shown();
  await userEvent.click(button("Rename"));
  await userEvent.clear(screen.getByLabelText("Title"));
  await userEvent.type(screen.getByLabelText("Title"), "  Kitchen {Enter}");
  expect(rename().mock.calls).toEqual([[ID, "Kitchen"]]);
  expect(screen.queryByLabelText("Title")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "The roof" }));
});

test("Escape leaves the title as it was", async () => {
  shown();
  await userEvent.click(screen.getByText("The roof"));
  await userEvent.type(screen.getByLabelText("Title"), "x{Escape}");
  expect(rename()).not.toHaveBeenCalled();
  expect(screen.getByRole("heading", { name: "The roof" })).toBeDefined();
});

test("F2 renames", async () => {
  shown();
  await userEvent.keyboard("{F2}");
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("The roof");
});

test("what is half typed outlives live updates and a reload", async () => {
  const { unmount } = render(<ConversationHeader id={ID} onContext={vi.fn()} />);
  await userEvent.click(button("Rename"));
  await userEvent.type(screen.getByLabelText("Title"), "{End}, half");
  change({ title: "Named by the assistant", turnCount: 4 });
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("The roof, half");
  rename().mockReturnValue(new Promise(() => {})); // the page goes before the answer comes
  unmount();
  shown();
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("The roof, half");
  expect(document.activeElement).toBe(document.body); // it takes the focus from nobody
});

test("a name that is begun in the list is gone on with as the title", async () => {
  shown();
  beginRenaming(ID, "list");
  typeName(ID, "Half");
  expect(screen.queryByLabelText("Title")).toBeNull();
  await userEvent.click(button("Rename"));
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("Half");
});

test("a title that could not be saved stays in the field", async () => {
  rename().mockResolvedValue(false);
  shown();
  await userEvent.click(button("Rename"));
  await userEvent.type(screen.getByLabelText("Title"), "{End}!{Enter}");
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("The roof!"),
  );
});

test("models are shown with their price; one that is not connected leads to where it is", async () => {
  const models = [info("offline", true), info("sonnet", true, 3), info("gpt", false, 1)];
  changeState({ models: { models, usual: "offline" } } as never);
  shown();
  await userEvent.click(button(/Model:\s*offline/));
  const menu = screen.getByRole("menu", { hidden: true });
  const entry = (name: RegExp) => within(menu).getByRole("menuitemradio", { name, hidden: true });
  expect(entry(/Usual: offline/).getAttribute("aria-checked")).toBe("true");
  expect(entry(/sonnet/).textContent).toContain("$3.00 in, $15.00 out, per million tokens");
  await userEvent.click(entry(/sonnet/));
  expect(vi.mocked(actions.chooseModel).mock.calls).toEqual([[ID, "sonnet"]]);
  await userEvent.click(button(/Model:\s*offline/));
  await userEvent.click(
    screen.getByRole("menuitemradio", { name: /gpt.*Not connected/, hidden: true }),
  );
  expect(location.pathname).toBe("/settings");
});

test("what is left open is shown with its evidence", async () => {
  shown();
  await userEvent.click(await screen.findByRole("button", { name: "1 open loop" }));
  const panel = screen.getByLabelText("Left open");
  expect(panel.textContent).toContain("I will call the roofer");
  expect(panel.textContent).toContain("The assistant’s to do · turn 1");
  expect(panel.querySelector("a")?.getAttribute("href")).toBe("/c/conv-1#msg-2");
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { hidden: true })).toBeNull();
  expect(document.activeElement).toBe(button("1 open loop"));
});

test("where it stands is asked for again when a turn has ended, not while it goes on", async () => {
  shown();
  await screen.findByRole("button", { name: "1 open loop" });
  const asked = () => server.asked.filter((one) => one.endsWith("/state")).length;
  expect(asked()).toBe(1);
  const reply = {
    messageId: "m",
    turnNumber: 4,
    text: "",
    thinking: "",
    tools: [],
    stopping: false,
  };
  changeState({ replying: { [ID]: reply } });
  change({ turnCount: 4, updated: "2026-11-10T15:00:00Z" });
  await new Promise((done) => setTimeout(done));
  const during = asked();
  change({ turnCount: 4, updated: "2026-11-10T15:00:01Z" });
  await new Promise((done) => setTimeout(done));
  expect(asked()).toBe(during);
  changeState({ replying: {} });
  await waitFor(() => expect(asked()).toBe(during + 1));
});

test("it can be taken away in three forms", async () => {
  shown();
  await userEvent.click(button("Export"));
  const links = screen.getAllByRole("menuitem", { hidden: true });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/api/conversations/conv-1/export?format=markdown",
    "/api/conversations/conv-1/export?format=html",
    "/api/conversations/conv-1/export?format=jsonl",
  ]);
});

test("Context opens what the model would see next; Archive archives", async () => {
  const onContext = shown();
  await userEvent.click(button("Context"));
  expect(onContext).toHaveBeenCalledWith(null);
  await userEvent.click(button("Archive"));
  expect(vi.mocked(actions.archive).mock.calls).toEqual([[ID, true]]);
});
