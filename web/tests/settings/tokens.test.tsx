import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { TokenView } from "../../src/api/shapes";
import { expiryAfter } from "../../src/settings/expiries";
import { Tokens } from "../../src/settings/Tokens";
import { changeState } from "../../src/state/store";
import { answer, asked, ME } from "./world";

const TOKEN: TokenView = {
  id: "tok-1",
  name: "Backup",
  scopes: ["read"],
  created: "2026-01-01T10:00:00Z",
  expires: null,
  lastUsed: null,
  revoked: null,
};

test("nobody has one yet", async () => {
  answer({ "GET /api/tokens": () => ({ tokens: [] }) });
  render(<Tokens />);
  expect(await screen.findByText("No program has a token yet.")).toBeTruthy();
});

test("a new one is shown once, and goes with Done", async () => {
  const person = userEvent.setup();
  const tokens: TokenView[] = [];
  answer({
    "GET /api/tokens": () => ({ tokens }),
    "POST /api/tokens": () => {
      tokens.push(TOKEN);
      return { ...TOKEN, token: "pal-secret" };
    },
  });
  render(<Tokens />);
  await person.click(screen.getByRole("button", { name: "New token…" }));
  await person.type(screen.getByLabelText(/^Name/), " Backup ");
  await person.click(screen.getByRole("checkbox", { name: /search what was said/ }));
  await person.selectOptions(screen.getByLabelText("Valid for"), "Until it is revoked");
  await person.click(screen.getByRole("button", { name: "Create token" }));
  const shown = await screen.findByRole<HTMLInputElement>("textbox", { name: "The token" });
  expect(shown.value).toBe("pal-secret");
  expect(screen.getByText(/it is not shown again/)).toBeTruthy();
  expect(asked[1]).toEqual({
    what: "POST /api/tokens",
    body: { name: "Backup", scopes: ["read"], expires: null },
  });
  await person.click(screen.getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe("pal-secret");
  await person.click(screen.getByRole("button", { name: "Done" }));
  expect(document.body.innerHTML).not.toContain("pal-secret");
  expect(
    within(await screen.findByRole("list", { name: "Tokens" })).getByText("Backup"),
  ).toBeTruthy();
});

test("it is revoked after a question", async () => {
  const person = userEvent.setup();
  let revoked: string | null = null;
  answer({
    "GET /api/tokens": () => ({ tokens: [{ ...TOKEN, revoked }] }),
    "DELETE /api/tokens/tok-1": () => {
      revoked = "2026-01-02T10:00:00Z";
      return { ...TOKEN, revoked };
    },
  });
  render(<Tokens />);
  await person.click(await screen.findByRole("button", { name: "Revoke Backup" }));
  await person.click(screen.getByRole("button", { name: "Keep it" }));
  expect(revoked).toBeNull();
  await person.click(screen.getByRole("button", { name: "Revoke Backup" }));
  await person.click(screen.getByRole("button", { name: "Revoke “Backup”" }));
  await waitFor(() => expect(screen.getByText("1 revoked token")).toBeTruthy());
  expect(screen.queryByRole("button", { name: "Revoke Backup" })).toBeNull();
});

test("only who has the scope admin can give it", async () => {
  const person = userEvent.setup();
  answer({ "GET /api/tokens": () => ({ tokens: [] }) });
  changeState({ me: { ...ME, scopes: ["read", "write"] } });
  render(<Tokens />);
  await person.click(screen.getByRole("button", { name: "New token…" }));
  expect(screen.queryByRole("checkbox", { name: /admin/ })).toBeNull();
  expect(screen.getAllByRole("checkbox")).toHaveLength(6);
});

test("an expiry is a moment as the API writes it", () => {
  expect(expiryAfter(30, Date.parse("2026-01-01T10:00:00.123Z"))).toBe("2026-01-31T10:00:00Z");
  expect(expiryAfter(0)).toBeNull();
});
