import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Menu } from "../../src/ui/Menu";

function open(run = vi.fn()) {
  render(
    <Menu
      label="Actions"
      items={[
        { label: "Rename", run },
        { label: "Archive", disabled: true, run },
        { label: "Delete", danger: true, run },
        { label: "Export", href: "/export", download: true },
      ]}
    />,
  );
  return run;
}

const focused = () => document.activeElement?.textContent;

describe("a menu", () => {
  it("is walked with the arrows and by letters, and returns the focus on Escape", async () => {
    open();
    await userEvent.tab();
    await userEvent.keyboard("{ArrowDown}");
    expect(focused()).toBe("Rename");
    await userEvent.keyboard("{ArrowUp}");
    expect(focused()).toBe("Export");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(focused()).toBe("Archive");
    await userEvent.keyboard("d");
    expect(focused()).toBe("Delete");
    await userEvent.keyboard("{Home}");
    expect(focused()).toBe("Rename");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Actions" }));
  });

  it("does what is chosen, after it has closed", async () => {
    const run = open(vi.fn(() => expect(screen.getByRole("button")).toBe(document.activeElement)));
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));
    await userEvent.click(screen.getByText("Archive"));
    expect(run).not.toHaveBeenCalled();
    await userEvent.click(screen.getByText("Delete"));
    expect(run).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("closes when one clicks beside it", async () => {
    open();
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));
    await userEvent.click(document.body);
    expect(screen.queryByRole("menu")).toBeNull();
  });
});
