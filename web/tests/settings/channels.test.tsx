import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ChannelView } from "../../src/api/shapes";
import { Channels } from "../../src/settings/Channels";
import { changeState } from "../../src/state/store";
import { answer, asked, ME } from "./world";

const channel = (more: Partial<ChannelView> = {}): ChannelView => ({
  name: "whatsapp",
  state: "connected",
  since: "2026-11-10T12:00:00Z",
  why: null,
  webhook: "/channels/whatsapp",
  role: "dedicated",
  policy: null,
  ...more,
});

const have = (...channels: ChannelView[]) => answer({ "GET /api/channels": () => ({ channels }) });

test("each says how it fares, and where its provider calls", async () => {
  have(
    channel(),
    channel({ name: "email", state: "failing", why: "The password is wrong.", webhook: null }),
    channel({ name: "telegram", state: "waiting", since: null, webhook: null }),
  );
  render(<Channels />);
  const list = await screen.findByRole("list", { name: "Channels" });
  const [whatsapp, email, telegram] = within(list).getAllByRole("listitem");
  expect(whatsapp?.textContent).toMatch(/Connected since .*12:00\./);
  expect(whatsapp?.textContent).toContain(`${location.origin}/channels/whatsapp`);
  expect(whatsapp?.textContent).toContain("begins with https://");
  expect(email?.textContent).toMatch(/Failing since .*The password is wrong\./);
  expect(telegram?.textContent).toContain("Waiting.");
});

test("one is tested", async () => {
  const outcomes = [
    { name: "whatsapp", ok: false, message: "The token is refused.", remedy: "Set `accessToken`." },
    { name: "whatsapp", ok: true, message: "Connected as Palaver.", remedy: null },
  ];
  have(channel());
  answer({ "POST /api/channels/whatsapp/test": () => outcomes.shift() });
  render(<Channels />);
  const button = await screen.findByRole("button", { name: "Test WhatsApp" });
  await userEvent.click(button);
  expect(await screen.findByText("The token is refused. Set accessToken.")).toBeTruthy();
  await userEvent.click(button);
  expect(await screen.findByText("Connected as Palaver.")).toBeTruthy();
  expect(asked.filter(({ what }) => what.startsWith("POST"))).toHaveLength(2);
});

test("how to connect one is told when there is none", async () => {
  have();
  render(<Channels />);
  await screen.findByText("No channel is connected.");
  expect(screen.getByText("How to connect a channel").closest("details")?.open).toBe(true);
});

test("who may not test them is not offered to", async () => {
  changeState({ me: { ...ME, scopes: ["read"] } });
  have(channel());
  render(<Channels />);
  await screen.findByRole("list", { name: "Channels" });
  expect(screen.queryByRole("button", { name: "Test WhatsApp" })).toBeNull();
});
