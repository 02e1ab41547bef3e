import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/api/problem";
import type { Message } from "../../src/api/shapes";
import { Article } from "../../src/conversation/Article";
import { offerBox } from "../../src/conversation/box";
import { onItsWay, type Row, said } from "../../src/conversation/rows";
import { type Talking, TalkingContext } from "../../src/conversation/talking";
import * as actions from "../../src/state/actions";
import { changeState, EMPTY } from "../../src/state/store";
import { message, reply } from "./said";

const filled = vi.fn();
const talking: Talking = {
  id: "conv-1",
  canWrite: true,
  canErase: true,
  canRemember: true,
  isMixed: false,
  hasChannels: false,
  editing: null,
  edit: vi.fn(),
  erase: vi.fn(),
  look: vi.fn(),
  regenerate: vi.fn(),
  say: vi.fn(),
};

let close = () => {};
beforeEach(() => {
  changeState(EMPTY, true);
  close = offerBox({ add: filled, focus: () => {} });
});
afterEach(() => {
  close();
  cleanup();
  vi.clearAllMocks();
});

function shown(row: Row, isLast = true, given: Partial<Talking> = {}) {
  render(
    <TalkingContext value={{ ...talking, ...given }}>
      <Article row={row} isLit={false} isReached={true} isLast={isLast} isLastOwn={isLast} />
    </TalkingContext>,
  );
  return screen.getByRole("article");
}
const show = (one: Message, isLast = true, given: Partial<Talking> = {}) =>
  shown(said(one), isLast, given);
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const names = () =>
  screen.queryAllByRole("button").map((one) => one.getAttribute("aria-label") ?? one.textContent);

describe("a message", () => {
  it("is an article with a label", () => {
    expect(show(message()).getAttribute("aria-label")).toBe("You");
    cleanup();
    expect(show(reply()).getAttribute("aria-label")).toBe("Assistant");
  });

  it("offers what can be done with it", () => {
    show(message());
    const own = ["Copy", "Quote", "Edit", "Remember this", "Copy link", "Erase", "Details"];
    expect(names()).toEqual(own);
    cleanup();
    show(reply());
    const first = ["Copy", "Quote", "Regenerate", "What the model saw", "Remember this"];
    expect(names()).toEqual([...first, "Copy link", "Erase", "Details"]);
    cleanup();
    show(reply(), false);
    expect(names()).not.toContain("Regenerate");
    cleanup();
    show(reply(), true, { canWrite: false, canErase: false, canRemember: false });
    expect(names()).toEqual(["Copy", "What the model saw", "Copy link", "Details"]);
  });

  it("is quoted into the box", async () => {
    show(reply({ content: "One\nTwo" }));
    await press("Quote");
    expect(filled).toHaveBeenCalledWith("> One\n> Two\n\n");
  });

  it("says what it was made with on demand", async () => {
    show(reply({ model: "sonnet", usage: { input: 1200, output: 34 }, cost: 0.0042 }));
    expect(screen.queryByText("sonnet")).toBeNull();
    await press("Details");
    for (const text of ["sonnet", "1,200", "34", "$0.0042"]) screen.getByText(text);
  });

  it("folds what was thought, which tools were used, and data", async () => {
    const call = { toolName: "weather", input: { city: "Bern" }, output: "<b>sun</b>" };
    show(reply({ thinkingText: "Hm.", toolCalls: [call], customPayload: { x: 1 } }));
    expect(screen.queryByText("Hm.")).toBeNull();
    await userEvent.click(screen.getByText("Thought for a moment"));
    screen.getByText("Hm.");
    await userEvent.click(screen.getByText("Used weather"));
    screen.getByText(/"city": "Bern"/);
    screen.getByText("<b>sun</b>");
    await userEvent.click(screen.getByText("Data that came with it"));
    screen.getByText(/"x": 1/);
  });

  it("fills the box with a value, and carries out an action", async () => {
    const suggestedActions = ["Book it", { type: "regenerate", label: "Another" }];
    const one = reply({ suggestedValues: ["At noon"], suggestedActions });
    show(one);
    await press("At noon");
    expect(filled).toHaveBeenCalledWith("At noon");
    await press("Book it");
    expect(talking.say).toHaveBeenCalledWith("Book it");
    await press("Another");
    expect(talking.regenerate).toHaveBeenCalledWith(one);
  });

  it("says how it ended", () => {
    show(reply({ status: "interrupted" }));
    screen.getByText(/^Interrupted\./);
    cleanup();
    show(reply({ status: "redacted", content: "" }));
    screen.getByText("This message has been erased.");
    expect(names()).toEqual([]);
    cleanup();
    show(reply({ status: "failed", content: "The model is busy. Try later." }));
    screen.getByText("The model is busy. Try later.");
  });

  it("is busy while it is being made", () => {
    const article = show(reply({ status: "streaming", content: "" }));
    expect(article.getAttribute("aria-busy")).toBe("true");
    expect(names()).toEqual([]);
  });

  it("shows a very long text of a person in part", async () => {
    const article = show(message({ content: "word ".repeat(20_000) }));
    expect(article.textContent?.length).toBeLessThan(5_000);
    await press("Show all 100,000 characters");
    expect(article.textContent?.length).toBeGreaterThan(99_000);
  });

  it("shows markup of a person as text", () => {
    const article = show(message({ content: "<img src=x onerror=alert(1)>" }));
    expect(article.querySelector("img")).toBeNull();
    within(article).getByText("<img src=x onerror=alert(1)>");
  });
});

describe("a message on its way", () => {
  const outgoing = { key: "k", place: "conv-1", text: "Hi", at: 0, problem: null };

  it("is quiet while it is sent", () => {
    const article = shown(onItsWay({ ...outgoing, state: "sending" }));
    expect(article.getAttribute("aria-busy")).toBe("true");
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("says that it waits, and can be taken back", async () => {
    vi.spyOn(actions, "discard").mockReturnValue("Hi");
    shown(onItsWay({ ...outgoing, state: "waiting" }));
    expect(screen.getByRole("status").textContent).toContain("waiting for the connection");
    await press("Take back");
    expect(filled).toHaveBeenCalledWith("Hi");
  });

  it("says why it was refused, and can be sent again", async () => {
    const resend = vi.spyOn(actions, "resend").mockImplementation(() => {});
    const problem = new Refused("read_only", "It cannot be written here.", "Write elsewhere.");
    shown(onItsWay({ ...outgoing, state: "failed", problem }));
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("Not sent. It cannot be written here. Write elsewhere.");
    await press("Try again");
    expect(resend).toHaveBeenCalledWith("k");
  });
});
