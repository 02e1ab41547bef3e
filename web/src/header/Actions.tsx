// What can be done with a conversation: in a line, or what has no room there, in one panel.
import type { ConversationMeta } from "../api/shapes";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import { Action } from "./Action";
import { ExportMenu } from "./ExportMenu";
import { ModelChoice } from "./ModelChoice";
import { Notes } from "./Notes";
import type { Room } from "./useRoom";

export interface Does {
  rename: () => void;
  context: () => void;
  archive: () => void;
  extract: () => void;
  erase: () => void;
}

interface Props {
  conversation: ConversationMeta;
  does: Does;
}

/** "Context" stays the same button when the inspector, which it opens, takes the others' room. */
export function Actions({ conversation, does, room }: Props & { room: Room }) {
  const all = { conversation, does };
  return (
    <div className="header-actions">
      {room === "wide" && <First {...all} />}
      {room !== "small" && <Context does={does} />}
      {room === "wide" ? <Last {...all} /> : <More {...all} hasContext={room === "small"} />}
    </div>
  );
}

function More({ conversation, does, hasContext }: Props & { hasContext: boolean }) {
  return (
    <Popover label="More" isPicture className="button quiet icon" button={<Icon name="more" />}>
      {(close) => {
        // The panel closes first, so that what opens then knows where to return to.
        const after = (run: () => void) => () => {
          close();
          run();
        };
        const closing: Does = {
          rename: after(does.rename),
          context: after(does.context),
          archive: after(does.archive),
          extract: after(does.extract),
          erase: after(does.erase),
        };
        const all = { conversation, does: closing, words: true };
        return (
          <span className="header-panel">
            <First {...all} />
            {hasContext && <Context does={closing} />}
            <Last {...all} />
          </span>
        );
      }}
    </Popover>
  );
}

/** `words`: whether the names stand beside the pictures. */
type Part = Props & { words?: boolean };

function First({ conversation, does, words = false }: Part) {
  return (
    <>
      <Action name="Rename" icon="rename" run={does.rename} keys="rename" words={words} />
      <ModelChoice conversation={conversation} />
      <Notes conversation={conversation} />
    </>
  );
}

const Context = ({ does }: { does: Does }) => (
  <Action name="Context" icon="context" run={does.context} keys="context" words />
);

function Last({ conversation, does, words = false }: Part) {
  const { id, archived } = conversation;
  return (
    <>
      <Action name="Extract memories" icon="memory" run={does.extract} words={words} />
      <ExportMenu id={id} words={words} />
      <Action
        name={archived ? "Unarchive" : "Archive"}
        icon={archived ? "unarchive" : "archive"}
        run={does.archive}
        words={words}
      />
      <Action name="Delete" icon="trash" run={does.erase} words={words} />
    </>
  );
}
