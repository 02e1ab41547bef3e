import { describe, expect, it } from "vitest";
import { actionsOf, valuesOf } from "../../src/conversation/suggestions";
import { reply } from "./said";

describe("what a reply offers", () => {
  it("reads values however they are written", () => {
    const suggestedValues = [
      "Yes",
      7,
      { label: "Later", value: "Ask me tomorrow" },
      { x: 1 },
      null,
    ];
    expect(valuesOf(reply({ suggestedValues }))).toEqual([
      { label: "Yes", text: "Yes" },
      { label: "7", text: "7" },
      { label: "Later", text: "Ask me tomorrow" },
    ]);
  });

  it("tells a reply that is wanted again from something to say", () => {
    const suggestedActions = [
      { type: "regenerate", label: "Try again" },
      { type: "regenerate" },
      { label: "Book it", message: "Book the table" },
      "Cancel",
      [],
    ];
    expect(actionsOf(reply({ suggestedActions }))).toEqual([
      { kind: "regenerate", label: "Try again" },
      { kind: "regenerate", label: "Try again" },
      { kind: "say", label: "Book it", text: "Book the table" },
      { kind: "say", label: "Cancel", text: "Cancel" },
    ]);
  });

  it("offers nothing where nothing was given", () => {
    expect([...valuesOf(reply()), ...actionsOf(reply())]).toEqual([]);
  });
});
