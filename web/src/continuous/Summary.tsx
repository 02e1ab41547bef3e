// The summary of a day: what it says, who made it and when, and how to make it anew.
import { useState } from "react";
import type { DayView } from "../api/shapes";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";
import { EditSummary, hasDraft } from "./EditSummary";
import { Lines } from "./Lines";
import { useMaking } from "./making";

export const SUMMARY = "day-summary";
const KEPT =
  "Your own lines stay, and what you took out stays out. The other lines are made again.";

interface Props {
  view: DayView;
  again: () => void;
  put: (view: DayView) => void;
}

export function Summary({ view, again, put }: Props) {
  const [isEditing, setEditing] = useState(() => hasDraft(view.day));
  const mayWrite = useStore((state) => state.me?.scopes.includes("write") ?? true);
  const { isMaking, problem, regenerate } = useMaking(view, again);
  const isThere = view.summaryMarkdown !== "";
  const isEmpty = view.messageCount === 0 && !isThere;
  return (
    <section id={SUMMARY} className="day-summary" aria-labelledby="day-summary-name" tabIndex={-1}>
      <div className="day-summary-head">
        <h2 id="day-summary-name" className="day-summary-name">
          Day summary
        </h2>
        {!isEmpty && !isEditing && mayWrite && (
          <>
            <button type="button" className="button quiet" onClick={() => setEditing(true)}>
              <Icon name="rename" size={16} />
              Edit
            </button>
            <button
              type="button"
              className="button quiet"
              disabled={isMaking}
              title={view.summaryEdited ? KEPT : undefined}
              onClick={() => void regenerate()}
            >
              <Icon name="again" size={16} />
              Regenerate summary
            </button>
          </>
        )}
      </div>
      <p role="status" className={isMaking ? "day-making" : "only-heard"}>
        {isMaking && "The summary is being made…"}
      </p>
      {problem && (
        <p className="talk-way wrong" role="alert">
          <span>
            <strong>The summary could not be made.</strong> {problem.message}{" "}
            <span className="soft">{problem.remedy}</span>
          </span>
        </p>
      )}
      {isEditing ? (
        <EditSummary
          view={view}
          onClose={() => {
            setEditing(false);
            document.getElementById(SUMMARY)?.focus({ preventScroll: true });
          }}
          onSaved={(saved) => {
            setEditing(false);
            put(saved);
          }}
        />
      ) : (
        <>
          {!isThere && !isMaking && <p className="soft">{none(view)}</p>}
          <Lines view={view} />
          <Made view={view} />
        </>
      )}
    </section>
  );
}

const none = ({ day, today, messageCount, summaryDue }: DayView): string => {
  if (summaryDue) return "The summary is being made again.";
  if (messageCount === 0) return "There is nothing to sum up yet.";
  if (day < today) return "There is no summary of this day yet.";
  return "There is no summary yet. One is made after ten messages, and when the day is over.";
};

function Made({ view }: { view: DayView }) {
  const { summaryBy, summaryEdited, updatedAt, messages, summaryCoversUntil } = view;
  if (updatedAt === null || summaryBy === null) return null;
  const until = messages.find(({ id }) => id === summaryCoversUntil);
  const isAll = summaryCoversUntil === messages.at(-1)?.id;
  return (
    <p className="day-made soft">
      {summaryBy === "user" ? (
        "Written by you"
      ) : (
        <>
          Made {summaryBy === "offline" ? "offline" : "by "}
          {summaryBy !== "offline" && <Visible text={summaryBy} />}
        </>
      )}{" "}
      <Time at={updatedAt} />
      {until && !isAll && (
        <>
          , up to <Time at={until.timestamp} as="clock" />
        </>
      )}
      {summaryEdited && summaryBy !== "user" && ", with your own words in it"}
      {summaryEdited && ". Your own lines stay when it is made again."}
    </p>
  );
}
