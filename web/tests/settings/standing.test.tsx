// How things stand: the index, the background, what can be taken away, and leaving.
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { Job } from "../../src/api/shapes";
import { Account } from "../../src/settings/Account";
import { Export } from "../../src/settings/Export";
import { IndexHealth } from "../../src/settings/IndexHealth";
import { Jobs } from "../../src/settings/Jobs";
import { ThemeChoice } from "../../src/settings/ThemeChoice";
import * as actions from "../../src/state/actions";
import { changeState } from "../../src/state/store";
import { answer, asked, HEALTH, ME } from "./world";

beforeEach(() => {
  vi.spyOn(actions, "refreshHealth").mockResolvedValue();
  localStorage.clear();
});

test("a rebuild is told while it goes on, and asks for the health again and again", async () => {
  const person = userEvent.setup();
  let finish = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  vi.stubGlobal("fetch", async () => {
    await ended;
    return Response.json(HEALTH);
  });
  render(<IndexHealth />);
  expect(screen.getByText(/Everything that was said can be found/)).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Rebuild the index" }));
  changeState({ health: { ...HEALTH, status: "rebuilding", done: 500_000, total: 2_000_000 } });
  expect(await screen.findByText("500 kB of 2 MB read")).toBeTruthy();
  expect(screen.getByRole("progressbar", { name: "Rebuild" })).toBeTruthy();
  await waitFor(
    () => expect(vi.mocked(actions.refreshHealth).mock.calls.length).toBeGreaterThan(2),
    {
      timeout: 3000,
    },
  );
  changeState({ health: HEALTH });
  finish();
  expect(await screen.findByText(/It is new/)).toBeTruthy();
});

test("what is wrong with the index is told in the server's words", () => {
  changeState({ health: { ...HEALTH, status: "degraded", detail: "No embedding model." } });
  render(<IndexHealth />);
  expect(screen.getByText(/No embedding model\./)).toBeTruthy();
});

const JOB: Job = {
  id: "digest:local:conv-1",
  kind: "digest",
  user: "local",
  key: "conv-1",
  state: "failed",
  attempts: 2,
  after: null,
  progress: null,
  error: { code: "model_failed", message: "The model failed.", remedy: "Test it." },
};

test("what failed can be done now", async () => {
  const person = userEvent.setup();
  let jobs = [JOB];
  answer({
    "GET /api/jobs": () => ({ jobs }),
    "POST /api/jobs/digest%3Alocal%3Aconv-1/retry": () => {
      jobs = [];
      return { ...JOB, state: "pending" };
    },
  });
  render(<Jobs />);
  expect(await screen.findByText("The model failed. Test it.")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Do it now" }));
  expect(await screen.findByText("Nothing is left to do.")).toBeTruthy();
});

test("what waits can be left undone", async () => {
  const person = userEvent.setup();
  const waiting: Job = { ...JOB, state: "pending", error: null };
  answer({
    "GET /api/jobs": () => ({ jobs: [waiting] }),
    "POST /api/jobs/digest%3Alocal%3Aconv-1/cancel": () => ({ ...waiting, state: "cancelled" }),
  });
  render(<Jobs />);
  await person.click(await screen.findByRole("button", { name: "Leave it undone" }));
  expect(asked.map(({ what }) => what)).toContain("POST /api/jobs/digest%3Alocal%3Aconv-1/cancel");
});

test("everything can be taken away in three formats", () => {
  render(<Export />);
  const links = screen.getAllByRole<HTMLAnchorElement>("link");
  expect(links.map((one) => one.getAttribute("href"))).toEqual([
    "/api/export?format=markdown",
    "/api/export?format=html",
    "/api/export?format=jsonl",
  ]);
  expect(links.every((one) => one.hasAttribute("download"))).toBe(true);
});

test("who may not read is told so", () => {
  changeState({ me: { ...ME, scopes: ["chat"] } });
  render(<Export />);
  expect(screen.queryByRole("link")).toBeNull();
});

test("somebody leaves", async () => {
  const person = userEvent.setup();
  vi.spyOn(actions, "signOut").mockResolvedValue();
  render(<Account />);
  expect(screen.getByText("Ana")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Sign out" }));
  expect(actions.signOut).toHaveBeenCalledOnce();
});

test("a theme holds at once and is kept", async () => {
  const person = userEvent.setup();
  render(<ThemeChoice />);
  await person.click(screen.getByRole("radio", { name: "Dark" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(localStorage.getItem("palaver.theme")).toBe("dark");
  await person.click(screen.getByRole("radio", { name: "As the system" }));
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
