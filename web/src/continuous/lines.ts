// The lines of a day's summary: headings, points and prose, each with what it stands on. They are
// read from the Markdown, so that what the owner wrote by hand stands there, too.
import type { DayLoop, DayView, SummarySource } from "../api/shapes";

export interface Line {
  text: string;
  isPoint: boolean;
  sources: readonly SummarySource[];
  loop: DayLoop | null;
}

export interface Section {
  heading: string;
  lines: Line[];
}

const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const POINT = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
/** What the Markdown says of a loop beside its words. Here that is a link. */
const CLOSED = /^Closed: /;
const NOTES =
  / \((?:(?:answered|done|decided|withdrawn|dropped)(?:, since [^()]+)?|since [^()]+)\)$/;
const LOOPS = "open loops";

type Told = Pick<DayView, "summaryMarkdown" | "summaryLines" | "loops">;

export function sectionsOf({ summaryMarkdown, summaryLines, loops }: Told): Section[] {
  const sections: Section[] = [];
  const left = [...summaryLines];
  const waiting = new Set(loops);
  const section = (heading: string) => {
    const one: Section = { heading, lines: [] };
    sections.push(one);
    return one;
  };
  let here: Section | null = null;
  for (const written of summaryMarkdown.split("\n")) {
    if (!written.trim()) continue;
    const heading = HEADING.exec(written);
    if (heading) {
      here = section(heading[1] ?? "");
      continue;
    }
    const point = POINT.exec(written);
    const text = (point?.[1] ?? written).trim();
    const at = left.findIndex((line) => line.text.trim() === text);
    const sources = at === -1 ? [] : (left.splice(at, 1)[0]?.sources ?? []);
    const loop = loopOf(text, sources, waiting);
    if (loop) waiting.delete(loop);
    here ??= section("");
    const words = loop ? text.replace(CLOSED, "").replace(NOTES, "") : text;
    here.lines.push({ text: words, isPoint: point !== null, sources, loop });
  }
  return withLoops(sections, [...waiting]).filter(({ lines }) => lines.length > 0);
}

const OF_LOOPS = new Set(["open", "closed"]);

/** The loop that a line tells of: the one with its words, or the only one from its message. */
function loopOf(
  text: string,
  sources: readonly SummarySource[],
  loops: ReadonlySet<DayLoop>,
): DayLoop | null {
  const of = sources.filter(({ kind }) => OF_LOOPS.has(kind));
  const candidates = [...loops].filter((loop) =>
    of.some((one) => one.messageId === loop.messageId),
  );
  return (
    candidates.find((loop) => of.some(({ quote }) => quote === loop.text)) ??
    candidates.find((loop) => of.some(({ quote }) => quote && loop.text.startsWith(quote))) ??
    candidates.find((loop) => text.includes(loop.text)) ??
    candidates[0] ??
    null
  );
}

/** Those of which no line tells stand with the open loops, too. */
function withLoops(sections: Section[], loops: readonly DayLoop[]): Section[] {
  if (loops.length === 0) return sections;
  let section = sections.find(({ heading }) => heading.toLowerCase() === LOOPS);
  if (!section) {
    section = { heading: "Open loops", lines: [] };
    const next = sections.findIndex(({ heading }) => heading.toLowerCase() === "next steps");
    sections.splice(next === -1 ? sections.length : next, 0, section);
  }
  section.lines.push(...loops.map(asLine));
  return sections;
}

const asLine = (loop: DayLoop): Line => ({
  text: loop.text,
  isPoint: true,
  loop,
  sources: [
    { messageId: loop.messageId, quote: loop.text, turn: 0, kind: "open", by: "", point: null },
  ],
});
