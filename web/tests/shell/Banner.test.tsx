import { render, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { ChannelView } from "../../src/api/shapes";
import { Banner } from "../../src/shell/Banner";
import { changeState, EMPTY } from "../../src/state/store";

const channel = (state: ChannelView["state"]): ChannelView => ({
  name: "email",
  state,
  since: "2026-11-10T12:00:00Z",
  why: "The password is wrong. Set `channels.email.password`.",
  webhook: null,
  role: "dedicated",
  policy: null,
});

beforeEach(() => changeState({ ...EMPTY, connection: { kind: "open" } }, true));

test("a channel that fails is told, with the reason and the way to it", () => {
  changeState({ channels: [channel("failing")] });
  render(<Banner />);
  expect(screen.getByRole("status").textContent).toMatch(
    /Email is failing since .*The password is wrong\. Set channels\.email\.password\./,
  );
  const way = screen.getByRole("link", { name: "See the channels" });
  expect(way.getAttribute("href")).toBe("/settings#channels");
});

test("one that works, or has not come up yet, is not", () => {
  changeState({ channels: [channel("connected"), channel("waiting"), channel("off")] });
  render(<Banner />);
  expect(screen.getByRole("status").textContent).toBe("");
});
