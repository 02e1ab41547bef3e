// What is still to be done in the background.
import { get, post } from "../api/client";
import type { Job, JobList } from "../api/shapes";
import { counted, percent } from "../ui/numbers";
import { useZone } from "../ui/Time";
import { clockTime } from "../ui/times";
import { useAsked, useDoing } from "./asking";
import { useMay } from "./may";
import { Section, Trouble } from "./Section";

const SHOWN = 20;
const KINDS: Record<string, string> = {
  embedding: "Learn what texts mean, for search",
  check: "Check the index against the ledger",
  digest: "Name a conversation, and take notes of it",
  rebuild: "Make the index again",
};
const list = () => get<JobList>("/api/jobs");

export function Jobs() {
  const { value, problem, again } = useAsked(list);
  const jobs = value?.jobs ?? [];
  return (
    <Section title="Work in the background">
      {value && jobs.length === 0 && <p>Nothing is left to do.</p>}
      {jobs.length > 0 && (
        <ul className="settings-list" aria-label="Work in the background">
          {jobs.slice(0, SHOWN).map((job) => (
            <JobRow key={job.id} job={job} onChanged={again} />
          ))}
        </ul>
      )}
      {jobs.length > SHOWN && (
        <p className="soft">And {counted(jobs.length - SHOWN, "more", "more")}.</p>
      )}
      <Trouble problem={problem} />
      <button type="button" className="button" onClick={again}>
        Look again
      </button>
    </Section>
  );
}

function JobRow({ job, onChanged }: { job: Job; onChanged: () => void }) {
  const { isBusy, problem, run } = useDoing();
  const mayChange = useMay("write");
  const zone = useZone();
  const isEnded = job.state === "failed" || job.state === "cancelled";
  const path = `/api/jobs/${encodeURIComponent(job.id)}/${isEnded ? "retry" : "cancel"}`;
  const change = () =>
    run(async () => {
      await post(path);
      onChanged();
    });
  return (
    <li className="settings-item">
      <div>
        {KINDS[job.kind] ?? job.kind}
        <span className="settings-detail">{standing(job, zone)}</span>
      </div>
      {mayChange && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void change()}>
          {isEnded ? "Do it now" : "Leave it undone"}
        </button>
      )}
      <Trouble problem={problem} />
    </li>
  );
}

function standing({ state, progress, error, after }: Job, zone: string | undefined): string {
  if (state === "cancelled") return "Left undone.";
  if (state === "running")
    return progress && progress.total > 0
      ? `Under way: ${percent(progress.done / progress.total)}.`
      : "Under way.";
  const next = after ? ` It is tried again at ${clockTime(after, zone)}.` : "";
  if (state === "failed") return `${error?.message ?? "It failed."} ${error?.remedy ?? ""}${next}`;
  return "Waits for its turn.";
}
