import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { KeyHelp } from "../../src/shell/KeyHelp";

it("tells the keys of every place", () => {
  render(<KeyHelp onClose={() => {}} />);
  const keysAt = (where: string) =>
    within(screen.getByRole("region", { name: where, hidden: true }))
      .getAllByRole("definition", { hidden: true })
      .map((one) => one.textContent);
  expect(keysAt("Everywhere")).toContain("CtrlK");
  expect(keysAt("In the message box")).toEqual(["Enter", "ShiftEnter", "↑"]);
  expect(keysAt("On a message")).toEqual(["↑↓KJ", "C", "Q", "L", "E", "R", "W", "M", "Delete"]);
  expect(keysAt("In the search results")).toEqual(["↑↓KJ"]);
});
