import { type MouseEvent, memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { type Block, Splitter } from "./blocks";
import { type CodeBlock, codeBlock } from "./code";
import { dress } from "./dress";
import { html } from "./parser";
import { sanitise } from "./sanitise";
import { useGradually } from "./useGradually";
import "./markdown.css";
import "./code.css";

/** Markdown as a page: parsed, then sanitised. While `streaming`, only the last block is made
 * again. Nothing in it runs, and nothing is fetched before a click. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const [splitter] = useState(() => new Splitter());
  const all = useMemo(() => splitter.split(text, streaming), [splitter, text, streaming]);
  const blocks = useGradually(all);
  return (
    // biome-ignore lint/a11y: the links in it are what is clicked, by mouse or by keyboard
    <div className="markdown" onClick={stayInside}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only come at the end
        <Shown key={index} block={block} />
      ))}
    </div>
  );
}

function Shown({ block }: { block: Block }) {
  if (block.kind === "code") return <Code language={block.language} code={block.text} />;
  if (block.kind === "prose") return <Prose source={block.text} />;
  return (
    <p className="md-plain" dir="auto">
      {block.text}
    </p>
  );
}

const Prose = memo(function Prose({ source }: { source: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(dress(sanitise(html(source))));
  }, [source]);
  return <div ref={place} dir="auto" />;
});

const Code = memo(function Code({ language, code }: { language: string; code: string }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<CodeBlock>(null);
  useLayoutEffect(() => {
    if (shown.current === null) {
      shown.current = codeBlock(language, code);
      place.current?.replaceChildren(shown.current.element);
    } else {
      shown.current.show(language, code);
    }
  }, [language, code]);
  return <div ref={place} dir="ltr" />;
});

/** A link to a conversation opens in this page, unless another tab was asked for. */
function stayInside(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[data-inside]") : null;
  const elsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (link === null || elsewhere) return;
  event.preventDefault();
  navigate(link.getAttribute("href") ?? "/");
}
