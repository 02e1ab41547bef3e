import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Boundary } from "../../src/shell/Boundary";

let breaks = true;
function Part() {
  if (breaks) throw new Error("a slip");
  return <p>whole</p>;
}

describe("a part that breaks", () => {
  it("leaves the others standing, and can be loaded again", () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    breaks = true;
    render(
      <>
        <Boundary>
          <Part />
        </Boundary>
        <p>another</p>
      </>,
    );
    expect(screen.getByRole("alert").textContent).toContain("This part of the page stopped");
    expect(screen.getByText("another")).toBeTruthy();
    breaks = false;
    fireEvent.click(screen.getByRole("button", { name: "Load this part again" }));
    expect(screen.getByText("whole")).toBeTruthy();
  });
});
