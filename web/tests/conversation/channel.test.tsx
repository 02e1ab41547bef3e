// A conversation that is held on a channel.
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveryStatus } from "../../src/api/shapes";
import { Audience, namesOf } from "../../src/conversation/Audience";
import { Delivery } from "../../src/conversation/Delivery";
import { ReadOnly } from "../../src/conversation/ReadOnly";
import { changeState, EMPTY } from "../../src/state/store";
import { titleOf } from "../../src/ui/titles";
import { conversation } from "../fake/data";
import { serve } from "../fake/server";
import { message, reply } from "./said";

beforeEach(() => changeState({ ...EMPTY, me: null }, true));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const group = { kind: "group", id: "g", name: "The choir", party: "ann", audience: "mixed" };
const bob = message({
  sender: "Bob",
  author: { kind: "participant", id: "4915", grade: "proven" },
});

describe("its name", () => {
  it("is its title, else that of the place", () => {
    const held = conversation({ title: null, abbreviation: "Singing", channelMeta: group });
    expect(titleOf(held)).toBe("The choir");
    expect(titleOf({ ...held, title: "Songs" })).toBe("Songs");
    expect(titleOf({ ...held, channelMeta: { name: 7 } })).toBe("Singing");
  });
});

describe("where it is written", () => {
  it("is said, with the way to go on here", () => {
    render(<ReadOnly channel="whatsapp" />);
    const note = screen.getByRole("note");
    expect(note.textContent).toContain("goes on in WhatsApp");
    expect(note.textContent).toContain("/new");
  });
});

describe("those who read along", () => {
  it("are named by the names they gave, and told nothing else", () => {
    const held = conversation({ channelMeta: group, participants: ["user", "4915", "4916"] });
    const transcript = { messages: [bob], hasEarlier: false, hasLater: false, loading: null };
    changeState({ conversations: { "conv-1": held }, transcripts: { "conv-1": transcript } });
    render(<Audience id="conv-1" />);
    const note = screen.getByRole("note");
    expect(note.textContent).toContain("Bob, 4916 read along.");
    expect(note.textContent).toContain("no memories");
  });

  it("are not spoken of where the owner is alone", () => {
    const held = conversation({ channelMeta: { ...group, audience: "owner" } });
    changeState({ conversations: { "conv-1": held } });
    render(<Audience id="conv-1" />);
    expect(screen.queryByRole("note")).toBeNull();
  });

  it("are each named once", () => {
    expect(namesOf(["user", "4915"], [bob, bob])).toEqual(["Bob"]);
    expect(namesOf(["user"], [])).toEqual([]);
  });
});

describe("how far a reply has come", () => {
  const at = (state: DeliveryStatus["state"], more: Partial<DeliveryStatus> = {}) =>
    reply({
      id: "msg-9",
      delivery: {
        state,
        code: null,
        message: null,
        remedy: null,
        after: null,
        updated: "2026-11-10T14:05:00Z",
        ...more,
      },
    });

  it.each([
    ["waiting", "Waiting to be sent"],
    ["sending", "Being sent"],
    ["sent", "Sent"],
    ["delivered", "Delivered"],
    ["read", "Read"],
  ] as const)("is told: %s", (state, word) => {
    render(<Delivery message={at(state)} />);
    expect(screen.getByText(word)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is why it waits, and until when", () => {
    const after = "2026-11-10T15:00:00Z";
    render(<Delivery message={at("waiting", { message: "WhatsApp is away.", after })} />);
    expect(screen.getByText(/WhatsApp is away\./)).toBeTruthy();
    expect(screen.getByText(/Tried again at/)).toBeTruthy();
  });

  it("is why it failed; then it can be sent again", async () => {
    const wrong = { code: "uncertain", message: "Nobody knows.", remedy: "Look there." };
    const failed = at("failed", wrong);
    const answers: Record<string, unknown> = { "POST /api/deliveries/msg-9": 503 };
    serve(answers);
    const { rerender } = render(<Delivery message={failed} />);
    const again = screen.getByRole("button", { name: "Send again" });
    await userEvent.click(again);
    expect((await screen.findByRole("alert")).textContent).toContain("It was refused.");
    answers["POST /api/deliveries/msg-9"] = at("waiting").delivery;
    await userEvent.click(again);
    expect(await screen.findByText("Waiting to be sent")).toBeTruthy();
    act(() => rerender(<Delivery message={at("failed", wrong)} />));
    expect(screen.getByText("Nobody knows.")).toBeTruthy(); // what is told later holds
  });

  it("is told to nobody of what is not sent", () => {
    const { container } = render(<Delivery message={reply()} />);
    expect(container.textContent).toBe("");
  });
});
