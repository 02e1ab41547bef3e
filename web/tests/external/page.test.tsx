import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Route } from "wouter";
import { navigate } from "wouter/use-browser-location";
import ExternalPage from "../../src/external/ExternalPage";
import { Notices } from "../../src/shell/Notices";
import { externalsChanged } from "../../src/state/actions";
import { changeState, EMPTY } from "../../src/state/store";
import { conversation } from "../fake/data";
import { serve } from "../fake/server";
import { memory } from "../memories/samples";
import { asked, draft, external, replied, view } from "./samples";

const LIST = "GET /api/external?limit=100";
const ONE = "GET /api/external/ext-1";
const CHANGE = "PATCH /api/external/ext-1";
const ANSWER = "POST /api/external/ext-1/messages";
const DECIDE = "POST /api/external/ext-1/drafts/draft-1";
const ERASE = "DELETE /api/external/ext-1";

beforeEach(() => {
  changeState({ ...EMPTY, me: null }, true);
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  navigate("/");
});

function show(path = "/external") {
  navigate(path);
  render(
    <>
      <Route path="/external/:id?">{({ id }) => <ExternalPage id={id ?? null} />}</Route>
      <Notices />
    </>,
  );
}
const bodyOf = (fake: ReturnType<typeof serve>, what: string) =>
  fake.bodies[fake.asked.indexOf(what)];

describe("the list", () => {
  test("has those that need the owner first, under a heading", async () => {
    const bob = external();
    const cem = external({ id: "ext-2", name: "Cem", trust: "known", drafts: 2 });
    serve({ [LIST]: { external: [bob, cem], nextCursor: null } });
    show();
    const needing = await screen.findByRole("region", { name: "Need you" });
    expect(within(needing).getByRole("link", { name: "Cem" })).toBeTruthy();
    expect(within(needing).getByText("2 drafts wait")).toBeTruthy();
    const others = screen.getByRole("region", { name: "All others" });
    const link = within(others).getByRole("link", { name: "Bob" });
    expect(link.getAttribute("href")).toBe("/external/ext-1");
    expect(within(others).getByText("Not trusted")).toBeTruthy();
    expect(within(others).getByText("Is the flat still free?")).toBeTruthy();
  });

  test("is walked by keys", async () => {
    const cem = external({ id: "ext-2", name: "Cem", escalated: true });
    serve({ [LIST]: { external: [external(), cem], nextCursor: null } });
    show();
    (await screen.findByRole("link", { name: "Cem" })).focus();
    await userEvent.keyboard("j");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Bob" }));
    await userEvent.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Cem" }));
  });

  test("says what it is for when it is empty", async () => {
    serve({ [LIST]: { external: [], nextCursor: null } });
    show();
    const way = await screen.findByRole("link", { name: "See your channels" });
    expect(way.getAttribute("href")).toBe("/settings#channels");
  });

  test("changes as it is told, and says what went wrong beside it", async () => {
    const answers: Record<string, unknown> = { [LIST]: { external: [], nextCursor: null } };
    serve(answers);
    show();
    await screen.findByRole("link", { name: "See your channels" });
    answers[LIST] = { external: [external()], nextCursor: null };
    act(() => externalsChanged());
    await screen.findByRole("link", { name: "Bob" });
    answers[LIST] = 503;
    act(() => externalsChanged());
    expect(await screen.findByText("It was refused. Try it later.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Bob" })).toBeTruthy();
  });
});

describe("an exchange", () => {
  test("shows their words as text, and as theirs", async () => {
    const claimed = { ...asked, author: { kind: "participant", id: "b", grade: "claimed" } };
    serve({ [ONE]: view({ messages: [claimed as typeof asked, replied] }) });
    show("/external/ext-1");
    const theirs = await screen.findByRole("article", { name: "Bob" });
    expect(within(theirs).getByText("Is the **flat** still free?")).toBeTruthy();
    expect(within(theirs).getByText("not proven")).toBeTruthy();
    expect(screen.getByRole("article", { name: "Reply" })).toBeTruthy();
  });

  test("that calls for the owner is seen when it is opened", async () => {
    const answers: Record<string, unknown> = {
      [ONE]: view({ external: external({ escalated: true }) }),
      [CHANGE]: external(),
    };
    const fake = serve(answers);
    show("/external/ext-1");
    await screen.findByText(/Nobody has answered/);
    await waitFor(() => expect(bodyOf(fake, CHANGE)).toEqual({ seen: true }));
    answers[ONE] = view();
    expect(await screen.findByText("You have seen it.")).toBeTruthy();
    // What comes while it is open waits for a word.
    answers[ONE] = view({ external: external({ escalated: true }) });
    act(() => externalsChanged());
    const button = await screen.findByRole("button", { name: "I have seen it" });
    expect(fake.asked.filter((one) => one === CHANGE)).toHaveLength(1);
    await userEvent.click(button);
    expect(fake.asked.filter((one) => one === CHANGE)).toHaveLength(2);
  });

  test("that is gone says so", async () => {
    serve({});
    show("/external/ext-1");
    expect(await screen.findByText("This exchange is not here")).toBeTruthy();
  });

  test("has its earlier messages when they are asked for", async () => {
    const first = { ...asked, id: "msg-0", seq: 0, content: "Hello?" };
    serve({
      [ONE]: view({ hasMore: true }),
      [`${ONE}?before=msg-asked`]: view({ messages: [first] }),
    });
    show("/external/ext-1");
    await userEvent.click(await screen.findByRole("button", { name: "Earlier messages" }));
    await screen.findByText("Hello?");
    expect(screen.getAllByRole("article").map(({ id }) => id)).toEqual(["msg-0", "msg-asked"]);
    expect(screen.queryByRole("button", { name: "Earlier messages" })).toBeNull();
  });

  test("is opened at the message that the address names, however early that is", async () => {
    const first = { ...asked, id: "msg-0", seq: -1, content: "Hello?" };
    serve({
      [ONE]: view({ hasMore: true, drafts: [draft()] }),
      [`${ONE}?before=msg-asked`]: view({ messages: [first] }),
    });
    show("/external/ext-1#msg-0");
    const article = (await screen.findByText("Hello?")).closest("article");
    await waitFor(() => expect(document.activeElement).toBe(article));
    expect(article?.className).toContain("found");
  });

  test("says when the message that the address names is not there any more", async () => {
    serve({ [ONE]: view() });
    show("/external/ext-1#msg-gone");
    expect(await screen.findByText(/you came for is not here any more/)).toBeTruthy();
  });

  test("is not loaded to its beginning for a message that may not be there", async () => {
    const said = (number: number) => ({ ...asked, id: `msg-${number}`, seq: -number });
    const earlier = Array.from({ length: 30 }, (_, number) => [
      `${ONE}?before=${number ? `msg-${number}` : "msg-asked"}`,
      view({ messages: [said(number + 1)], hasMore: true }),
    ]);
    const fake = serve({ [ONE]: view({ hasMore: true }), ...Object.fromEntries(earlier) });
    show("/external/ext-1#msg-21");
    expect(await screen.findByText(/you came for is not among these/)).toBeTruthy();
    expect(fake.asked.filter((one) => one.includes("before="))).toHaveLength(20);
    await userEvent.click(screen.getByRole("button", { name: "Earlier messages" }));
    await waitFor(() => expect(document.activeElement?.id).toBe("msg-21"));
    expect(screen.queryByText(/you came for/)).toBeNull();
  });

  test("tells what was withheld, with a way to it", async () => {
    changeState({ conversations: { "conv-1": conversation({ title: "The flat" }) } });
    const { id } = memory();
    serve({
      [ONE]: view({
        messages: [asked, replied],
        withheld: [{ messageId: "msg-reply", conversations: ["conv-1"], memories: [id] }],
      }),
      [`GET /api/memories/${id}/history`]: { memory: memory(), before: [], after: [], changes: [] },
    });
    show("/external/ext-1");
    const fold = await screen.findByText("Withheld: 1 memory and 1 conversation");
    await userEvent.click(fold);
    const there = await screen.findByRole("link", { name: "Memory: Moved to Oslo." });
    expect(there.getAttribute("href")).toBe("/memories?memory=mem-1");
    const talk = screen.getByRole("link", { name: "Conversation: The flat" });
    expect(talk.getAttribute("href")).toBe("/c/conv-1");
  });

  test("tells how far a reply has come, and sends it again", async () => {
    const delivery = {
      state: "failed" as const,
      code: "channel_refused",
      message: "The number does not exist.",
      remedy: "Check it.",
      after: null,
      updated: "2026-11-10T14:06:00Z",
    };
    const fake = serve({
      [ONE]: view({ messages: [asked, { ...replied, delivery }] }),
      "POST /api/deliveries/msg-reply": { ...delivery, state: "waiting", message: null },
    });
    show("/external/ext-1");
    expect(await screen.findByText("The number does not exist.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Send again" }));
    expect(fake.asked).toContain("POST /api/deliveries/msg-reply");
  });
});

describe("the owner's own words", () => {
  const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Answer" });

  test("are sent, once also when the first try fails, and kept until then", async () => {
    const answers: Record<string, unknown> = {
      [ONE]: view({ external: external({ escalated: true }) }),
      [CHANGE]: external(),
      [ANSWER]: 503,
    };
    const fake = serve(answers);
    show("/external/ext-1");
    await userEvent.type(await box(), "Yes, at five.");
    await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
    expect(await screen.findByText("It was refused. Try it later.")).toBeTruthy();
    expect((await box()).value).toBe("Yes, at five.");
    const mine = { ...replied, author: { kind: "owner" as const, id: "local", grade: null } };
    Object.assign(answers, { [ANSWER]: mine, [ONE]: view({ messages: [asked, mine] }) });
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    expect(await screen.findByText("Your answer to Bob is being sent.")).toBeTruthy();
    expect(await screen.findByRole("article", { name: "You" })).toBeTruthy();
    expect((await box()).value).toBe("");
    expect(screen.queryByText(/Nobody has answered/)).toBeNull();
    const sent = fake.bodies.filter((_, number) => fake.asked[number] === ANSWER);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual({ text: "Yes, at five.", key: expect.any(String) });
    expect(sent[1]).toEqual(sent[0]);
    expect(JSON.stringify(localStorage)).not.toContain("at five");
  });

  test("are sent once also when the page is loaded again in between", async () => {
    const answers: Record<string, unknown> = { [ONE]: view(), [ANSWER]: 503 };
    const fake = serve(answers);
    show("/external/ext-1");
    await userEvent.type(await box(), "Yes, at five.");
    await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
    await screen.findByText("It was refused. Try it later.");
    cleanup();
    answers[ANSWER] = replied;
    show("/external/ext-1");
    expect((await box()).value).toBe("Yes, at five.");
    await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
    await screen.findByText("Your answer to Bob is being sent.");
    const sent = fake.bodies.filter((_, number) => fake.asked[number] === ANSWER);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    await userEvent.type(await box(), "Yes, at five.");
    await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
    await waitFor(() => expect(fake.asked.filter((one) => one === ANSWER)).toHaveLength(3));
    expect(fake.bodies[fake.asked.lastIndexOf(ANSWER)]).not.toEqual(sent[0]);
  });

  test("cannot be sent where nobody is reached, and why is said", async () => {
    const unreachable = "The channel is off. Turn `channels.whatsapp` on.";
    serve({
      [ONE]: view({ external: external({ escalated: true }), unreachable }),
      [CHANGE]: external(),
    });
    show("/external/ext-1");
    expect((await screen.findByText("channels.whatsapp")).tagName).toBe("CODE");
    expect(screen.getByText(/Below you can decide/)).toBeTruthy();
    expect(screen.queryByText(/`|Below you can answer/)).toBeNull();
    expect(screen.queryByRole("textbox", { name: "Answer" })).toBeNull();
  });
});

describe("how somebody is treated", () => {
  const open = async () => {
    show("/external/ext-1");
    await userEvent.click(await screen.findByRole("button", { name: "Change…" }));
  };
  const radio = (name: string) => screen.getByRole<HTMLInputElement>("radio", { name });

  test("is changed in a form that says what each choice does", async () => {
    const fake = serve({ [ONE]: view(), [CHANGE]: external() });
    await open();
    expect(radio("Answer").disabled).toBe(true);
    await userEvent.click(radio("Known"));
    await userEvent.click(radio("Answer"));
    const scope = screen.getByRole("textbox", { name: /^What they may be told/ });
    await userEvent.type(scope, "Opening hours.");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(bodyOf(fake, CHANGE)).toEqual({
        trust: "known",
        policy: "answer",
        scope: "Opening hours.",
      }),
    );
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  });

  test("is never that a stranger is answered by a model alone", async () => {
    const known = external({ trust: "known", policy: "answer", decided: ["trust"] });
    serve({ [ONE]: view({ external: known }) });
    await open();
    await userEvent.click(radio("Not trusted"));
    expect(radio("Draft").checked).toBe(true);
    expect(radio("Answer").disabled).toBe(true);
  });

  test("returns to the settings, and stays in the form when it is refused", async () => {
    const decided = external({ trust: "known", policy: "draft", decided: ["trust", "policy"] });
    const answers: Record<string, unknown> = { [ONE]: view({ external: decided }), [CHANGE]: 503 };
    const fake = serve(answers);
    await open();
    await userEvent.click(screen.getByRole("button", { name: "Follow the settings again" }));
    expect(await screen.findByText("It was refused. Try it later.")).toBeTruthy();
    expect(bodyOf(fake, CHANGE)).toEqual({ trust: null, policy: null, scope: null });
    await userEvent.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: "Change…" })).toBeTruthy();
  });
});

describe("a draft", () => {
  const drafted = view({ external: external({ drafts: 1 }), drafts: [draft()] });
  const there = () => screen.findByRole("article", { name: "Draft to Bob" });

  test("has the focus when one comes, and is approved by a key", async () => {
    const answers: Record<string, unknown> = { [ONE]: drafted, [DECIDE]: {} };
    const fake = serve(answers);
    show("/external/ext-1");
    const one = await there();
    await waitFor(() => expect(document.activeElement).toBe(one));
    answers[ONE] = view({ messages: [asked, replied] });
    await userEvent.keyboard("a");
    await screen.findByRole("article", { name: "Reply" });
    expect(bodyOf(fake, DECIDE)).toEqual({ decision: "approve" });
    expect(screen.queryByRole("article", { name: "Draft to Bob" })).toBeNull();
    expect(screen.getByText("The reply to Bob is being sent.")).toBeTruthy();
  });

  test("is edited, and what is half typed is kept", async () => {
    const fake = serve({ [ONE]: drafted, [DECIDE]: {} });
    show("/external/ext-1");
    (await there()).focus();
    await userEvent.keyboard("e");
    const box = screen.getByRole("textbox", { name: "What is sent instead" });
    await userEvent.clear(box);
    await userEvent.type(box, "No, at six. a e r");
    expect(fake.asked).not.toContain(DECIDE);
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() =>
      expect(bodyOf(fake, DECIDE)).toEqual({ decision: "edit", text: "No, at six. a e r" }),
    );
  });

  test("is rejected, unless that is undone", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const fake = serve({ [ONE]: drafted, [DECIDE]: {} });
    show("/external/ext-1");
    (await there()).focus();
    await person.keyboard("r");
    expect(screen.queryByRole("article", { name: "Draft to Bob" })).toBeNull();
    await person.click(screen.getByRole("button", { name: "Undo" }));
    (await there()).focus();
    await person.keyboard("r");
    vi.advanceTimersByTime(6_100);
    await screen.findByText(/Nothing was sent/);
    expect(fake.asked.filter((one) => one === DECIDE)).toHaveLength(1);
    expect(bodyOf(fake, DECIDE)).toEqual({ decision: "reject" });
  });

  test("that was decided elsewhere says so", async () => {
    serve({ [ONE]: drafted, [DECIDE]: 409 });
    show("/external/ext-1");
    await there();
    await userEvent.click(screen.getByRole("button", { name: "Approve the reply to Bob" }));
    expect(await screen.findByText("It was refused. Try it later.")).toBeTruthy();
  });
});

test("erasing shows what goes, waits for Undo, and gives the receipt", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const receipt = { messages: 1, erased: ["The exchange."], remains: ["Backups."] };
  const fake = serve({
    [ONE]: view(),
    [LIST]: { external: [external()], nextCursor: null },
    [ERASE]: { ...receipt, preview: false },
    [`${ERASE}?preview=true`]: { ...receipt, preview: true },
  });
  show("/external/ext-1");
  await person.type(await screen.findByRole("textbox", { name: "Answer" }), "Dear Bob");
  const erase = async () => {
    (await screen.findByRole("article", { name: "Bob" })).focus();
    await person.keyboard("{Delete}");
    expect(await screen.findByText("The exchange.")).toBeTruthy();
    await person.click(screen.getByRole("button", { name: "Erase 1 message" }));
  };
  await erase();
  expect(location.pathname).toBe("/external");
  await screen.findByRole("link", { name: "See your channels" });
  await person.click(screen.getByRole("button", { name: "Undo" }));
  await person.click(await screen.findByRole("link", { name: "Bob" }));
  await erase();
  vi.advanceTimersByTime(6_100);
  expect(await screen.findByText("Erased 1 message of the exchange with Bob.")).toBeTruthy();
  expect(screen.getByText("Backups.")).toBeTruthy();
  expect(fake.asked.filter((one) => one === ERASE)).toHaveLength(1);
  expect(JSON.stringify(localStorage)).not.toContain("Dear Bob");
});
