import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { changeState } from "../../src/state/store";
import { Welcome } from "../../src/welcome/Welcome";
import { MODELS, SONNET } from "../settings/world";

const nothing = () => undefined;

test("an empty home is greeted, and offered a model", () => {
  render(<Welcome fill={nothing} />);
  expect(screen.getByRole("heading", { name: "Welcome to Palaver" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Connect a model" }).getAttribute("href")).toBe(
    "/settings#connect",
  );
  expect(document.querySelectorAll(".welcome-facts li")).toHaveLength(3);
});

test("who has a model is told which answers", () => {
  changeState({ models: { models: [SONNET, ...MODELS.models], usual: "sonnet" } });
  render(<Welcome fill={nothing} />);
  expect(screen.queryByText(/offline assistant/)).toBeNull();
  expect(screen.getByText("sonnet")).toBeTruthy();
});

test("a used home gets one line", () => {
  changeState({ listed: ["conv-1"] });
  render(<Welcome fill={nothing} />);
  expect(screen.queryByText("Welcome to Palaver")).toBeNull();
  expect(screen.getByRole("heading", { name: "What is on your mind?" })).toBeTruthy();
});

test("nothing flashes by before the list has come", () => {
  changeState({ isListed: false });
  const { container } = render(<Welcome fill={nothing} />);
  expect(container.textContent).toBe("");
});

test("a suggestion fills the box", async () => {
  const fill = vi.fn();
  render(<Welcome fill={fill} />);
  await userEvent.click(screen.getByRole("button", { name: "See what Palaver can do" }));
  expect(fill).toHaveBeenCalledExactlyOnceWith("/help");
});
