// How far the memories can be trusted: which are worth nothing, said twice, without their words,
// against each other, or old; and one key that puts each right.
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { Link } from "wouter";
import { useFetched } from "../api/useFetched";
import { useMay } from "../settings/may";
import { useShown } from "../state/useShown";
import { count, counted, percent } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { Trouble } from "../ui/Trouble";
import { useRows } from "../ui/useRows";
import { Visible } from "../ui/Visible";
import { About } from "./About";
import { PATH, useVersion } from "./asking";
import { fixFinding } from "./deeds";
import { ROW } from "./Row";
import { hasSource, Source } from "./Source";
import { type Audit as Audited, FAULTS, type Finding } from "./shapes";
import { memoryAddress } from "./wanted";
import { FAULT_NAMES, faultName, fixName } from "./words";

const idOf = ({ kind, memoryIds }: Finding): string => `${kind} ${memoryIds.join(" ")}`;

export function Audit() {
  const asked = useFetched<Audited>(`${PATH}/audit`, String(useVersion()));
  const { data, problem, again } = asked;
  if (problem && !data) return <Trouble problem={problem} again={again} />;
  if (!data) return <Skeleton lines={6} label="Looking through the memories" />;
  return (
    <section aria-label="Audit">
      <p>
        {counted(data.total, "memory was", "memories were")} looked at.{" "}
        {data.findings.length === 0
          ? "Nothing is wrong with them."
          : `${counted(data.findings.length, "finding")}, each with a way to put it right.`}
      </p>
      <Shares audit={data} />
      <Findings findings={data.findings} />
    </section>
  );
}

function Shares({ audit: { total, shares } }: { audit: Audited }) {
  return (
    <dl className="mem-shares">
      {FAULTS.map((kind) => (
        <div key={kind} data-none={shares[kind] ? undefined : "true"}>
          <dt title={FAULT_NAMES[kind].about}>{FAULT_NAMES[kind].name}</dt>
          <dd>
            {percent(shares[kind] ?? 0)}{" "}
            <span className="soft">({count(Math.round((shares[kind] ?? 0) * total))})</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Without what is being forgotten. */
function useLeft(findings: readonly Finding[]): readonly Finding[] {
  const all = useMemo(
    () => findings.flatMap(({ memoryIds }) => memoryIds.map((id) => ({ id }))),
    [findings],
  );
  const shown = useShown(all);
  return useMemo(() => {
    const ids = new Set(shown.map(({ id }) => id));
    return findings.filter(({ memoryIds }) => memoryIds.every((id) => ids.has(id)));
  }, [findings, shown]);
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const left = useLeft(findings);
  const ids = useMemo(() => left.map(idOf), [left]);
  const { list, reached, onReach, onKeyDown } = useRows(ROW, ids);
  const begins = left.map((_, index) =>
    left.slice(0, index).reduce((sum, one) => sum + one.memories.filter(hasSource).length, 1),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys go from finding to finding
    <div ref={list} onKeyDown={onKeyDown}>
      <ul className="mem-list" aria-label="Findings">
        {left.map((finding, index) => (
          <li key={idOf(finding)}>
            <Found
              finding={finding}
              first={begins[index] ?? 1}
              isReached={reached === idOf(finding)}
              onReach={() => onReach(idOf(finding))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FoundProps {
  finding: Finding;
  /** The number of its first source. */
  first: number;
  isReached: boolean;
  onReach: () => void;
}

function Found({ finding, first, isReached, onReach }: FoundProps) {
  const [isBusy, setBusy] = useState(false);
  const mayWrite = useMay("memory:write");
  const name = useId();
  const fix = async () => {
    if (isBusy || !mayWrite) return;
    setBusy(true);
    await fixFinding(finding);
    setBusy(false);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.key !== "f") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void fix();
  };
  let number = first - 1;
  return (
    <article
      className={`${ROW} mem-finding`}
      aria-labelledby={name}
      tabIndex={isReached ? 0 : -1}
      onFocus={onReach}
      onKeyDown={press}
    >
      <div className="mem-words">
        <p id={name} className="mem-fault">
          <strong>{faultName(finding.kind)}</strong> <Visible text={finding.reason} />
        </p>
        <ul className="mem-found">
          {finding.memories.map((memory) => {
            if (hasSource(memory)) number += 1;
            return (
              <li key={memory.id}>
                <Link href={memoryAddress(memory.id)} dir="auto">
                  <Visible text={memory.content} />
                </Link>
                <Source memory={memory} number={number} />
                <About memory={memory} />
              </li>
            );
          })}
        </ul>
      </div>
      {mayWrite && (
        <div className="mem-deeds wide">
          <button
            type="button"
            className="button"
            tabIndex={isReached ? 0 : -1}
            disabled={isBusy}
            aria-keyshortcuts="f"
            title={`${fixName(finding)} (f)`}
            onClick={() => void fix()}
          >
            {fixName(finding)}
          </button>
        </div>
      )}
    </article>
  );
}
