// Why the last message has no reply, and how to get one.
import { useStore } from "../state/store";
import type { Row } from "./rows";
import { useTalking } from "./talking";

export function ReplyProblem({ id, last }: { id: string; last: Row | null }) {
  const problem = useStore((state) => state.replyProblems[id]);
  const { regenerate } = useTalking();
  if (!problem) return null;
  const isReply = last?.message.role === "assistant" && last.message.replyTo !== null;
  return (
    <div className="talk-row">
      <div className="talk-way wrong" role="alert">
        <p>
          <strong>The reply could not be made.</strong> {problem.message}{" "}
          <span className="soft">{problem.remedy}</span>
        </p>
        {last && isReply && (
          <button type="button" className="button" onClick={() => regenerate(last.message)}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}
