// One message: who said it, what, when, and what can be done with it.
import { memo, useState } from "react";
import { ChannelIcon } from "../ui/Icon";
import { Time } from "../ui/Time";
import { useMedia } from "../ui/useMedia";
import { Visible } from "../ui/Visible";
import { Body } from "./Body";
import { Delivery } from "./Delivery";
import { Details } from "./Details";
import type { Standing } from "./deeds";
import { EditBox } from "./EditBox";
import { Fold } from "./Fold";
import { Made, Shown } from "./Made";
import { Deeds, DeedsMenu } from "./MessageDeeds";
import { Offers } from "./Offers";
import { OnItsWay } from "./OnItsWay";
import type { Row } from "./rows";
import { Sources } from "./Sources";
import { useTalking } from "./talking";
import { useQuoted } from "./useQuoted";
import { isOwn, speaker } from "./words";

/** A phone: a row of buttons below each message would be louder than the words. */
const TOUCHED = "(hover: none) and (max-width: 48rem)";

interface Props extends Standing {
  row: Row;
  /** It is lit up for a moment: one came here to see it. */
  isLit: boolean;
  /** Words of it because of which one came: they are marked for a moment. */
  quote?: string | null;
  /** Tab leads to this one. */
  isReached: boolean;
}

export const Article = memo(function Article(props: Props) {
  const { row, isLit, quote = null, isReached, isLast, isLastOwn } = props;
  const talking = useTalking();
  const { message, outgoing } = row;
  const [hasDetails, setDetails] = useState(false);
  const isTouched = useMedia(TOUCHED);
  useQuoted(message.id, quote);
  const who = speaker(message);
  const isEditing = talking.editing === message.id;
  const isBusy = message.status === "streaming" || outgoing?.state === "sending";
  const kind = isOwn(message) ? "own" : message.role === "assistant" ? "reply" : "other";
  const turn = () => setDetails(!hasDetails);
  const deeds = { row, isLast, isLastOwn, isReached, hasDetails, onDetails: turn };
  const classes = ["talk-message", kind, isLit ? "lit" : "", outgoing ? "pending" : ""];
  return (
    <article
      id={message.id}
      className={classes.filter(Boolean).join(" ")}
      aria-label={who}
      aria-busy={isBusy}
      tabIndex={isReached ? 0 : -1}
    >
      <div className="talk-when">
        <Time at={message.timestamp} as="clock" />
        {isTouched && !isEditing && <DeedsMenu {...deeds} />}
      </div>
      <div className="talk-said">
        {(kind === "other" || talking.isMixed) && (
          <p className="talk-who">
            {message.channel && talking.hasChannels && (
              <ChannelIcon channel={message.channel} size={15} />
            )}
            <bdi>
              <Visible text={message.sender ?? who} />
            </bdi>
            {message.author?.grade === "claimed" && <Claimed />}
          </p>
        )}
        {message.role === "assistant" && <Made message={message} />}
        {isEditing ? <EditBox message={message} /> : <Body message={message} quote={quote} />}
        <Status row={row} isLast={isLast} />
        <Delivery message={message} />
        <Sources message={message} />
        <Payload row={row} />
        <Offers message={message} isLast={isLast} />
        {outgoing && <OnItsWay outgoing={outgoing} />}
        {hasDetails && <Details message={message} />}
      </div>
      {!isTouched && !isEditing && <Deeds {...deeds} />}
    </article>
  );
});

/** The channel does not vouch for the sender. */
export const Claimed = () => (
  <span className="talk-claimed" title="The channel cannot say that it was really them.">
    not proven
  </span>
);

/** How it ended, where that is not as it should be. */
function Status({ row: { message }, isLast }: { row: Row; isLast: boolean }) {
  if (message.status !== "interrupted") return null;
  return (
    <p className="talk-status soft">
      {message.content ? "Interrupted." : "Interrupted before anything was said."}
      {isLast && " “Regenerate” makes it again."}
    </p>
  );
}

/** What a program has put beside the words. What says why a reply failed is in its words. */
function Payload({ row: { message } }: { row: Row }) {
  const { customPayload, parts, status } = message;
  if (status === "redacted" || status === "failed") return null;
  return (
    <>
      {parts && parts.length > 0 && (
        <Fold icon="info" summary="Parts of this message">
          {() => <Shown label="Parts" value={parts} />}
        </Fold>
      )}
      {customPayload !== null && customPayload !== undefined && (
        <Fold icon="info" summary="Data that came with it">
          {() => <Shown label="Data" value={customPayload} />}
        </Fold>
      )}
    </>
  );
}
