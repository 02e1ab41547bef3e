import { expect, test } from "vitest";
import { sectionsOf } from "../../src/continuous/lines";
import { loop, source, summed } from "./days";

const told = (view = summed()) =>
  sectionsOf(view).map(({ heading, lines }) => [heading, ...lines.map(({ text }) => text)]);

test("every line has its sources, and points are told from prose", () => {
  const sections = sectionsOf(summed());
  expect(told()).toEqual([
    ["Summary", "The roof leaks."],
    ["Decisions", "The **roofer** comes on Thursday."],
    ["Open loops", "Call the roofer."],
  ]);
  expect(sections.map(({ lines }) => lines[0]?.isPoint)).toEqual([false, true, true]);
  expect(sections.map(({ lines }) => lines[0]?.sources.length)).toEqual([1, 2, 1]);
});

test("what the owner wrote by hand stands there without sources", () => {
  const [section] = sectionsOf(summed({ summaryMarkdown: "My own words.\n1. first\n2) second" }));
  expect(section?.heading).toBe("");
  expect(section?.lines.map(({ text, isPoint, sources }) => [text, isPoint, sources])).toEqual([
    ["My own words.", false, []],
    ["first", true, []],
    ["second", true, []],
  ]);
});

test("a line finds its loop, and loops without a line stand with the others", () => {
  const other = loop({ text: "Buy a ladder.", messageId: "msg-9", since: "2026-11-16" });
  const sections = sectionsOf(summed({ loops: [other, loop()] }));
  const open = sections.find(({ heading }) => heading === "Open loops");
  expect(open?.lines.map((line) => [line.text, line.loop?.messageId])).toEqual([
    ["Call the roofer.", "msg-1"],
    ["Buy a ladder.", "msg-9"],
  ]);
});

test("two loops of one message go to the lines with their words", () => {
  const both = [loop({ text: "Buy a ladder." }), loop({ text: "Call the roofer." })];
  const sections = sectionsOf(summed({ loops: both }));
  const open = sections.at(-1);
  expect(open?.lines.map((line) => [line.text, line.loop?.text])).toEqual([
    ["Call the roofer.", "Call the roofer."],
    ["Buy a ladder.", "Buy a ladder."],
  ]);
});

test("loops are told before there is a summary, and empty sections are not", () => {
  const view = summed({ summaryMarkdown: "", summaryLines: [], loops: [loop()] });
  expect(told(view)).toEqual([["Open loops", "Call the roofer."]]);
  expect(told(summed({ summaryMarkdown: "## Summary\n\n## Goals\n", summaryLines: [] }))).toEqual(
    [],
  );
});

test("what the Markdown says beside the words of a loop is said by links here", () => {
  const summaryMarkdown = [
    "## Open loops",
    "- Call the roofer. (since 9 November)",
    "- Closed: Buy a ladder. (done, since 9 November)",
    "- Somebody (since Monday) waits.",
  ].join("\n");
  const lines = summaryMarkdown
    .split("\n")
    .slice(1)
    .map((line) => line.slice(2));
  const view = summed({
    summaryMarkdown,
    loops: [loop(), loop({ text: "Buy a ladder.", messageId: "msg-2" })],
    summaryLines: [
      { text: lines[0] ?? "", section: "", sources: [source("msg-1", "open")] },
      { text: lines[1] ?? "", section: "", sources: [source("msg-2", "closed")] },
      { text: lines[2] ?? "", section: "", sources: [source("msg-3")] },
    ],
  });
  expect(told(view)).toEqual([
    ["Open loops", "Call the roofer.", "Buy a ladder.", "Somebody (since Monday) waits."],
  ]);
});
