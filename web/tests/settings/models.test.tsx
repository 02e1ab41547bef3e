import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Models } from "../../src/settings/Models";
import * as actions from "../../src/state/actions";
import { changeState } from "../../src/state/store";
import { answer, asked, ME, MODELS, OFFLINE, Refusal, SONNET } from "./world";

beforeEach(() => {
  vi.spyOn(actions, "refreshMe").mockResolvedValue();
});

test("models are told with what they cost", () => {
  render(<Models />);
  expect(screen.getByText(/\$2 read, \$10 written for a million tokens/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /offline/ }).checked).toBe(true);
});

test("a model that answers says how long it took", async () => {
  const person = userEvent.setup();
  answer({
    "POST /api/models/test": () => ({ name: "sonnet", ok: true, latencyMs: 640, problem: null }),
  });
  render(<Models />);
  await person.click(screen.getByRole("button", { name: "Test sonnet" }));
  expect(await screen.findByText("It answers, after 640 ms.")).toBeTruthy();
  expect(asked).toEqual([{ what: "POST /api/models/test", body: { name: "sonnet" } }]);
});

test("a model that does not says why, and what to do", async () => {
  const person = userEvent.setup();
  const problem = {
    code: "model_not_connected",
    message: "It is not connected.",
    remedy: "Set `agent.x`.",
  };
  answer({
    "POST /api/models/test": () => ({ name: "sonnet", ok: false, latencyMs: null, problem }),
  });
  render(<Models />);
  await person.click(screen.getByRole("button", { name: "Test sonnet" }));
  expect(await screen.findByText("It is not connected. Set agent.x.")).toBeTruthy();
});

test("a test that is refused is told in the same place", async () => {
  const person = userEvent.setup();
  answer({
    "POST /api/models/test": () => new Refusal(429, "limit_reached", "Too many.", "Wait."),
  });
  render(<Models />);
  await person.click(screen.getByRole("button", { name: "Test offline" }));
  expect(await screen.findByText("Too many. Wait.")).toBeTruthy();
});

test("the usual model is chosen, and everything asked for again", async () => {
  const person = userEvent.setup();
  answer({ "PATCH /api/me": () => ({ ...ME, model: "sonnet", chosen: ["model"] }) });
  render(<Models />);
  await person.click(screen.getByRole("radio", { name: /sonnet/ }));
  expect(asked).toEqual([{ what: "PATCH /api/me", body: { model: "sonnet" } }]);
  await waitFor(() => expect(actions.refreshMe).toHaveBeenCalled());
  expect(await screen.findByRole("button", { name: "Use the default model" })).toBeTruthy();
});

test("one that is not connected cannot be chosen, and how to connect is open", () => {
  changeState({ models: { ...MODELS, models: [OFFLINE, { ...SONNET, connected: false }] } });
  render(<Models />);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /sonnet/ }).disabled).toBe(true);
  expect(screen.getByText("not connected")).toBeTruthy();
  expect(screen.getByRole("group", { name: "" }).hasAttribute("open")).toBe(true);
});
