// Days for tests, and a small server of them.
import type { DayLoop, DayView, Message } from "../../src/api/shapes";
import * as data from "../fake/data";

export const TODAY = "2026-11-18";

export const said = (number: number, turn: number, more: Partial<Message> = {}): Message =>
  data.message({
    id: `msg-${number}`,
    seq: number,
    turnNumber: turn,
    role: number % 2 ? "user" : "assistant",
    content: `Message ${number}`,
    timestamp: `2026-11-18T09:${String(number).padStart(2, "0")}:00Z`,
    ...more,
  });

export const day = (more: Partial<DayView> = {}): DayView => ({
  day: TODAY,
  dayLabel: more.day ?? TODAY,
  daySegmentId: "day-1",
  conversationId: data.ID,
  timezone: "Etc/UTC",
  messages: [said(1, 1), said(2, 1), said(3, 2), said(4, 2)],
  hasMore: false,
  messageCount: 4,
  summaryMarkdown: "",
  summaryLines: [],
  summaryCoversUntil: null,
  summaryBy: null,
  summaryEdited: false,
  summaryDue: false,
  updatedAt: null,
  closed: false,
  loops: [],
  previousDay: "2026-11-16",
  nextDay: null,
  today: TODAY,
  ...more,
});

export const loop = (more: Partial<DayLoop> = {}): DayLoop => ({
  text: "Call the roofer.",
  messageId: "msg-1",
  kind: "task",
  since: TODAY,
  closed: null,
  ...more,
});

export const source = (messageId: string, kind = "said", quote: string | null = null) => ({
  messageId,
  quote,
  turn: 1,
  kind,
  by: "user",
  point: null,
});

/** With a summary of every section. */
export const summed = (more: Partial<DayView> = {}): DayView =>
  day({
    summaryMarkdown: [
      "## Summary",
      "The roof leaks.",
      "",
      "## Decisions",
      "- The **roofer** comes on Thursday.",
      "",
      "## Open loops",
      "- Call the roofer.",
    ].join("\n"),
    summaryLines: [
      { text: "The roof leaks.", section: "Summary", sources: [source("msg-1")] },
      {
        text: "The **roofer** comes on Thursday.",
        section: "Decisions",
        sources: [source("msg-2", "decision"), source("msg-3", "decision")],
      },
      {
        text: "Call the roofer.",
        section: "Open loops",
        sources: [source("msg-1", "open", "Call the roofer.")],
      },
    ],
    summaryCoversUntil: "msg-2",
    summaryBy: "offline",
    updatedAt: "2026-11-18T09:02:30Z",
    ...more,
  });
