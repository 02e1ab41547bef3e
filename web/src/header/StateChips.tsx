// Where a conversation stands, in small: what is left open, and who waits for whom. Each opens the
// evidence, in the words it was said in.
import { apiPath } from "../api/paths";
import type { ConversationState, StateItem } from "../api/shapes";
import { useFetched } from "../api/useFetched";
import { useStore } from "../state/store";
import { Footnote } from "../ui/Footnote";
import { counted } from "../ui/numbers";
import { Popover } from "../ui/Popover";
import { Visible } from "../ui/Visible";

/** Changes when a turn has ended, not while one is made. */
function useTurn(id: string): string {
  return useStore(({ conversations, replying }) => {
    const conversation = conversations[id];
    return replying[id] ? "replying" : `${conversation?.updated} ${conversation?.turnCount}`;
  });
}

export function StateChips({ id }: { id: string }) {
  const { data: state } = useFetched<ConversationState>(apiPath(id, "state"), useTurn(id));
  if (!state) return null;
  const { pendingClarifications: asked, openLoops: open, activeJobRefs: jobs, provisional } = state;
  const same = { id, provisional };
  return (
    <>
      <Chip
        {...same}
        items={asked}
        name={askedName(asked)}
        about="Asked, and not answered yet"
        isCalling
      />
      <Chip {...same} items={open} name={counted(open.length, "open loop")} about="Left open" />
      <Chip
        {...same}
        items={jobs}
        name={`${counted(jobs.length, "job")} under way`}
        about="Under way"
      />
    </>
  );
}

const askedName = (items: readonly StateItem[]): string =>
  items.every((item) => item.owedBy === "user") ? "Awaiting your answer" : "Awaiting an answer";

interface ChipProps {
  id: string;
  items: readonly StateItem[];
  name: string;
  about: string;
  provisional: boolean;
  isCalling?: boolean;
}

function Chip({ id, items, name, about, provisional, isCalling = false }: ChipProps) {
  if (items.length === 0) return null;
  return (
    <Popover
      label={about}
      button={name}
      className={`header-chip header-state${isCalling ? " calling" : ""}`}
    >
      {() => (
        <>
          <h2 className="header-panel-title">{about}</h2>
          <ol className="header-evidence">
            {items.map((item, index) => (
              <li key={`${item.messageId} ${item.text}`}>
                <q dir="auto">
                  <Visible text={item.text} />
                </q>
                <Footnote
                  number={index + 1}
                  conversationId={id}
                  messageId={item.messageId}
                  quote={item.text}
                />
                <span className="soft"> {owed(item)}</span>
              </li>
            ))}
          </ol>
          {provisional && (
            <p className="soft">Only the end of this conversation has been read so far.</p>
          )}
        </>
      )}
    </Popover>
  );
}

const owed = ({ owedBy, turnNumber }: StateItem): string =>
  `${owedBy === "user" ? "Yours to do" : "The assistant’s to do"} · turn ${turnNumber}`;
