import { describe, expect, it } from "vitest";
import { onItsWay, said, tail } from "../../src/conversation/rows";
import type { Outgoing, Replying } from "../../src/state/model";
import { message, reply } from "./said";

const outgoing = (fields: Partial<Outgoing> = {}): Outgoing => ({
  key: "k1",
  place: "conv-1",
  text: "Hello",
  at: Date.parse("2026-11-10T14:05:00Z"),
  state: "sending",
  problem: null,
  ...fields,
});

const replying = (fields: Partial<Replying> = {}): Replying => ({
  messageId: "msg-reply",
  turnNumber: 4,
  text: "It is",
  thinking: "",
  tools: [],
  stopping: false,
  ...fields,
});

describe("the rows of a transcript", () => {
  it("keeps the row of an own message when it has landed", () => {
    const way = onItsWay(outgoing());
    expect(said(message({ key: "api:k1" })).key).toBe(way.key);
    expect(said(message({ key: "k1" })).key).toBe(way.key);
  });

  it("keeps the row of a reply when it is stored", () => {
    const [made] = tail("conv-1", [], [], replying());
    expect(made?.key).toBe(said(reply({ id: "msg-reply" })).key);
    expect(made?.message.status).toBe("streaming");
  });

  it("shows a stored reply once", () => {
    expect(tail("conv-1", [reply({ id: "msg-reply" })], [], replying())).toEqual([]);
  });

  it("puts what is on its way below the reply that is being made", () => {
    const rows = tail("conv-1", [message()], [outgoing()], replying());
    expect(rows.map(({ message: { role } }) => role)).toEqual(["assistant", "user"]);
  });

  it("shows only what belongs here", () => {
    expect(tail("conv-1", [], [outgoing({ place: "conv-2" })], undefined)).toEqual([]);
  });

  it("shows the tools of a reply that is being made", () => {
    const tools = [{ toolName: "look", state: "started" }] as const;
    expect(tail("conv-1", [], [], replying({ tools }))[0]?.message.toolCalls).toEqual(tools);
  });
});
