// How a reply came about: what was thought, and which tools were used. Folded, and shown as text.
import type { Message } from "../api/shapes";
import { Visible } from "../ui/Visible";
import { Fold } from "./Fold";
import { pretty } from "./words";

type ToolCall = Record<string, unknown>;

export function Made({ message }: { message: Message }) {
  const isLive = message.status === "streaming";
  const isThinking = isLive && !message.content;
  return (
    <>
      {message.thinkingText && (
        <Fold icon="thought" summary={isThinking ? "Thinking…" : "Thought for a moment"}>
          {() => (
            <div className="talk-thought" dir="auto">
              <Visible text={message.thinkingText ?? ""} />
            </div>
          )}
        </Fold>
      )}
      {gathered(message.toolCalls ?? []).map(([words, calls], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever added at the end
        <Tools key={index} words={words} calls={calls} />
      ))}
      {isThinking && !message.thinkingText && !message.toolCalls && <Dots />}
    </>
  );
}

/** Nothing has come yet. */
const Dots = () => (
  <span className="talk-dots" aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
);

/** What Palaver's own tools do, in words: while they do it, and after. */
const OWN = new Map<string, readonly [string, string]>([
  ["search_conversations", ["Searching your conversations…", "Searched your conversations"]],
  ["fetch_context", ["Reading what was said…", "Read what was said"]],
  ["conversation_search", ["Searching the days…", "Searched the days"]],
  ["conversation_get", ["Reading the days…", "Read the days"]],
  ["memory_search", ["Searching the memories…", "Searched the memories"]],
  ["memory_add", ["Remembering…", "Remembered something"]],
  ["open_loops", ["Looking for what is open…", "Looked for what is open"]],
]);

const nameOf = ({ toolName }: ToolCall): string => String(toolName ?? "a tool");

function toolWords(call: ToolCall): string {
  const name = nameOf(call);
  if (call.state === "failed") return `${name} failed`;
  const [doing, done] = OWN.get(name) ?? [`Using ${name}…`, `Used ${name}`];
  return call.state === "started" ? doing : done;
}

/** Calls that follow each other and are told in the same words are told once. */
function gathered(calls: readonly ToolCall[]): [string, ToolCall[]][] {
  const groups: [string, ToolCall[]][] = [];
  for (const call of calls) {
    const words = toolWords(call);
    const last = groups.at(-1);
    if (last?.[0] === words) last[1].push(call);
    else groups.push([words, [call]]);
  }
  return groups;
}

function Tools({ words, calls }: { words: string; calls: readonly ToolCall[] }) {
  const summary = calls.length > 1 ? `${words}, ${calls.length} times` : words;
  return (
    <Fold icon="tool" summary={<Visible text={summary} />}>
      {() =>
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever added at the end
        calls.map((call, index) => <Call key={index} call={call} />)
      }
    </Fold>
  );
}

function Call({ call }: { call: ToolCall }) {
  if (!("input" in call || "output" in call))
    return <p className="soft">What went in and came out is shown when the reply is stored.</p>;
  return (
    <>
      {OWN.has(nameOf(call)) && <p className="soft">The tool is called {nameOf(call)}.</p>}
      <Shown label="Input" value={call.input} />
      <Shown label="Output" value={call.output} />
    </>
  );
}

/** Anything, as text. */
export function Shown({ label, value }: { label: string; value: unknown }) {
  if (value === null || value === undefined) return <p className="soft">{label}: nothing</p>;
  return (
    <figure className="talk-shown">
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach that */}
      <pre tabIndex={0}>
        <Visible text={pretty(value)} />
      </pre>
    </figure>
  );
}
