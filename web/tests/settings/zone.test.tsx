import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { TimeZone } from "../../src/settings/TimeZone";
import { changeState, readState } from "../../src/state/store";
import { answer, asked, ME, Refusal } from "./world";

const box = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Time zone" });

test("a zone is found by typing and taken with Enter", async () => {
  const person = userEvent.setup();
  answer({ "PATCH /api/me": () => ({ ...ME, timezone: "Asia/Tokyo", chosen: ["timezone"] }) });
  render(<TimeZone />);
  expect(box().value).toBe("Europe / Lisbon");
  await person.type(box(), "toky{Enter}");
  await waitFor(() => expect(readState().me?.timezone).toBe("Asia/Tokyo"));
  expect(asked).toEqual([{ what: "PATCH /api/me", body: { timezone: "Asia/Tokyo" } }]);
  expect(box().value).toBe("Asia / Tokyo");
});

test("the arrows walk through what is found, Escape changes nothing", async () => {
  const person = userEvent.setup();
  answer({ "PATCH /api/me": () => ({ ...ME, timezone: "Europe/Paris" }) });
  render(<TimeZone />);
  await person.type(box(), "europe/p");
  const options = screen.getAllByRole("option");
  expect(options[0]?.getAttribute("aria-selected")).toBe("true");
  await person.keyboard("{ArrowDown}");
  expect(box().getAttribute("aria-activedescendant")).toBe(options[1]?.id);
  await person.keyboard("{Escape}");
  expect(box().value).toBe("Europe / Lisbon");
  expect(asked).toEqual([]);
});

test("a click takes a zone, too", async () => {
  const person = userEvent.setup();
  answer({ "PATCH /api/me": () => ({ ...ME, timezone: "UTC" }) });
  render(<TimeZone />);
  await person.type(box(), "utc");
  await person.click(screen.getByRole("option", { name: /^UTC/ }));
  expect(asked[0]?.body).toEqual({ timezone: "UTC" });
});

test("it tells what time it is there", () => {
  changeState({ me: { ...ME, timezone: "Asia/Tokyo" } });
  const { container } = render(<TimeZone />);
  const inTokyo = new Date(Date.now() + 9 * 3_600_000).getUTCHours();
  const said = /It is (\d\d):\d\d there, on \w+day/.exec(container.textContent);
  expect([inTokyo, (inTokyo + 23) % 24]).toContain(Number(said?.[1]));
});

test("it tells that no zone is called so", async () => {
  const person = userEvent.setup();
  render(<TimeZone />);
  await person.type(box(), "xyzzy");
  expect(screen.getByText(/No zone has that in its name/)).toBeTruthy();
});

test("the default comes back, and is offered only to those who chose", async () => {
  const person = userEvent.setup();
  const view = render(<TimeZone />);
  expect(screen.queryByRole("button", { name: "Use the default" })).toBeNull();
  view.unmount();
  changeState({ me: { ...ME, chosen: ["timezone"] } });
  answer({ "PATCH /api/me": () => ME });
  render(<TimeZone />);
  await person.click(screen.getByRole("button", { name: "Use the default" }));
  expect(asked[0]?.body).toEqual({ timezone: null });
});

test("a refusal is told beside the box, with its remedy", async () => {
  const person = userEvent.setup();
  const refusal = new Refusal(422, "bad_value", "No such zone.", "Choose another.");
  answer({ "PATCH /api/me": () => refusal });
  render(<TimeZone />);
  await person.type(box(), "tokyo{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("No such zone. Choose another.");
  expect(readState().me?.timezone).toBe("Europe/Lisbon");
});

test("who may not write cannot choose", () => {
  changeState({ me: { ...ME, scopes: ["read"], chosen: ["timezone"] } });
  render(<TimeZone />);
  expect(box().disabled).toBe(true);
  expect(screen.queryByRole("button")).toBeNull();
});
