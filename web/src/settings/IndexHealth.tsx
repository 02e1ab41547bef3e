// How far the index can be trusted, and making it again.
import { useEffect, useRef } from "react";
import { post } from "../api/client";
import type { ServedHealth } from "../api/shapes";
import { refreshHealth } from "../state/actions";
import { useStore } from "../state/store";
import { bytes } from "../ui/numbers";
import { useDoing } from "./asking";
import { useMay } from "./may";
import { Section, Trouble } from "./Section";

const EVERY = 500;

export function IndexHealth() {
  const health = useStore((state) => state.health);
  const mayRebuild = useMay("write");
  const { isBusy, problem, run } = useDoing();
  const isRebuilding = isBusy || health?.status === "rebuilding";
  const wasBusy = useRef(false);

  useEffect(() => {
    void refreshHealth();
  }, []);
  useEffect(() => {
    if (!isRebuilding) return;
    wasBusy.current = true;
    const timer = setInterval(() => void refreshHealth(), EVERY);
    return () => clearInterval(timer);
  }, [isRebuilding]);

  const rebuild = () =>
    run(async () => {
      await post("/api/rebuild");
      await refreshHealth();
    });
  if (!health) return null;
  return (
    <Section title="Search index" id="index">
      <p role="status">
        <span className={`settings-dot ${isRebuilding ? "rebuilding" : health.status}`} />{" "}
        {isRebuilding ? "The index is being made again." : inWords(health)}
        {!isRebuilding && !problem && wasBusy.current && health.status === "ok" && " It is new."}
      </p>
      {isRebuilding && <Progress done={health.done} total={health.total} />}
      {health.lost.length > 0 && (
        <details className="settings-fold">
          <summary>What could not be read</summary>
          <ul>
            {health.lost.map((one) => (
              <li key={one}>
                <code>{one}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="soft">
        The index is made from the ledger, where everything that was said is written once. It can be
        made again at any time: nothing that was said is touched.
      </p>
      {mayRebuild && (
        <button
          type="button"
          className="button"
          disabled={isRebuilding}
          onClick={() => void rebuild()}
        >
          Rebuild the index
        </button>
      )}
      <Trouble problem={problem} />
    </Section>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  const isKnown = total > 0;
  return (
    <p className="settings-progress">
      <progress aria-label="Rebuild" {...(isKnown ? { value: done, max: total } : {})} />
      {isKnown && (
        <span className="soft">
          {bytes(done)} of {bytes(total)} read
        </span>
      )}
    </p>
  );
}

const inWords = ({ status, detail }: ServedHealth): string =>
  status === "ok" ? "Everything that was said can be found." : detail;
