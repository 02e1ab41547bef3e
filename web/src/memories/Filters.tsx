// Which memories are shown, and the box that looks through them as one types.
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Icon } from "../ui/Icon";
import { count } from "../ui/numbers";
import { type MemoryType, TYPES } from "./shapes";
import { addressOf, VIEWS, type View, type Wanted } from "./wanted";
import { TYPE_NAMES } from "./words";

const NAMES: Record<View, { name: string; about: string }> = {
  kept: { name: "All", about: "What is remembered and used" },
  pinned: { name: "Pinned", about: "What a model is always told" },
  waiting: { name: "Waiting", about: "What waits for your approval" },
  superseded: { name: "Superseded", about: "What was true before something else became true" },
  archived: { name: "Archived", about: "What is kept, and not used" },
  audit: { name: "Audit", about: "Junk, duplicates, and what lost its words" },
};

interface ViewsProps {
  wanted: Wanted;
  /** How many wait for approval. */
  waiting: number;
}

export function Views({ wanted, waiting }: ViewsProps) {
  return (
    <nav className="mem-views" aria-label="Which memories">
      {VIEWS.map((view) => (
        <Link
          key={view}
          href={addressOf({ ...wanted, memory: "", view })}
          className="mem-view"
          title={NAMES[view].about}
          aria-current={wanted.view === view && !wanted.memory ? "page" : undefined}
        >
          {NAMES[view].name}
          {view === "waiting" && waiting > 0 && <span className="mem-many"> {count(waiting)}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** What is typed stands in the address after so many milliseconds. */
const PAUSE = 150;

interface Props {
  wanted: Wanted;
  categories: readonly string[];
  change: (part: Partial<Wanted>) => void;
}

export function Filters({ wanted, categories, change }: Props) {
  return (
    <search className="mem-filters">
      <Box q={wanted.q} change={change} />
      <label className="mem-filter">
        <span className="only-heard">Type</span>
        <select
          className="field"
          value={wanted.type}
          onChange={(event) => change({ type: event.target.value as MemoryType | "" })}
        >
          <option value="">All types</option>
          {TYPES.map((type) => (
            <option key={type} value={type}>
              {TYPE_NAMES[type].many}
            </option>
          ))}
        </select>
      </label>
      {(categories.length > 0 || wanted.category) && (
        <label className="mem-filter">
          <span className="only-heard">Category</span>
          <select
            className="field"
            value={wanted.category}
            onChange={(event) => change({ category: event.target.value })}
          >
            <option value="">All categories</option>
            {[...new Set([...categories, ...(wanted.category ? [wanted.category] : [])])]
              .sort()
              .map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
          </select>
        </label>
      )}
    </search>
  );
}

function Box({ q, change }: { q: string; change: (part: Partial<Wanted>) => void }) {
  const [text, setText] = useState(q);
  const told = useRef(q);
  const latest = useRef(change);
  latest.current = change;
  // The address was changed by something else.
  useEffect(() => {
    if (q !== told.current) setText(q);
    told.current = q;
  }, [q]);
  useEffect(() => {
    if (text === told.current) return;
    const timer = setTimeout(() => {
      told.current = text;
      latest.current({ q: text });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="mem-box">
      <Icon name="search" size={16} />
      <input
        type="search"
        className="field"
        aria-label="Search the memories"
        placeholder="Search the memories"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
