// One conversation on the screen: heading, messages, and the box.
import { ConversationHeader } from "../header/ConversationHeader";
import { isNewPlace } from "../state/actions";
import { useStore } from "../state/store";
import { Welcome } from "../welcome/Welcome";
import { Announcer } from "./Announcer";
import { Audience } from "./Audience";
import { type Arrival, useFocusOnArrival } from "./arrival";
import { fillBox } from "./box";
import { Composer } from "./Composer";
import { ReadOnly } from "./ReadOnly";
import { Transcript } from "./Transcript";
import { TalkingContext } from "./talking";
import { useTalk } from "./useTalk";
import { Waiting } from "./Waiting";

interface Props {
  id: string;
  arrival: Arrival;
  isFetched: boolean;
  onContext: (turn: number | null) => void;
}

export function Conversation({ id, arrival, isFetched, onContext }: Props) {
  const isNew = isNewPlace(id);
  const meta = useStore((state) => state.conversations[id]);
  const isThere = useStore((state) => state.transcripts[id] !== undefined);
  const isBegun = useStore((state) => state.outbox.some(({ place }) => place === id));
  const { talking, editLast, question } = useTalk(id, onContext);
  useFocusOnArrival(arrival);
  return (
    <TalkingContext value={talking}>
      {isNew ? (
        <h1 className="only-heard">New conversation</h1>
      ) : (
        <>
          <ConversationHeader id={id} onContext={onContext} />
          <Audience id={id} />
        </>
      )}
      {isThere || isBegun ? (
        <Transcript id={id} arrival={arrival} isFetched={isFetched} />
      ) : isNew ? (
        <div className="talk-welcome">
          <Welcome fill={fillBox} />
        </div>
      ) : (
        <Waiting label="Loading the conversation" />
      )}
      {talking.canWrite ? (
        <Composer place={id} onEditLast={editLast} />
      ) : (
        <ReadOnly channel={meta?.readOnly ? meta.channel : null} />
      )}
      <Announcer id={id} />
      {question}
    </TalkingContext>
  );
}
