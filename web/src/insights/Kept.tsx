// How much is kept, and whether all of it can be found.
import { Link } from "wouter";
import type { Health, StorageUse } from "../api/shapes";
import { bytes, count, percent } from "../ui/numbers";

const STATES: Readonly<Record<Health["status"], string>> = {
  ok: "In order",
  rebuilding: "Being made again",
  degraded: "Needs attention",
};

export function Kept({ storage, index }: { storage: StorageUse; index: Health }) {
  const share = index.status === "rebuilding" && index.total > 0 ? index.done / index.total : null;
  return (
    <section aria-labelledby="insights-kept">
      <h2 id="insights-kept">What is kept</h2>
      <dl className="insights-facts">
        <div>
          <dt>Conversations</dt>
          <dd>{count(storage.conversations)}</dd>
        </div>
        <div>
          <dt>All that was said</dt>
          <dd>{bytes(storage.ledgerBytes)}</dd>
        </div>
        {storage.indexBytes !== null && (
          <div>
            <dt>The index for search</dt>
            <dd>{bytes(storage.indexBytes)}</dd>
          </div>
        )}
        <div>
          <dt>State of the index</dt>
          <dd>{STATES[index.status]}</dd>
        </div>
      </dl>
      <p className={index.status === "degraded" ? "insights-warning" : "soft"}>
        {index.detail}
        {share !== null && ` ${percent(share)} done.`}
      </p>
      {index.status === "degraded" && (
        <Link className="button" href="/settings">
          See the index in the settings
        </Link>
      )}
    </section>
  );
}
