// The messages that a part of a packet stands on: who, when, the first words, and the way there.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { asRefused, type Refused } from "../api/problem";
import type { Message } from "../api/shapes";
import { head } from "../ui/excerpt";
import { messageAddress } from "../ui/Footnote";
import { Skeleton } from "../ui/Skeleton";
import { findSources } from "../ui/sources";
import { speakerOf } from "../ui/speaker";
import { Time } from "../ui/Time";
import { Visible } from "../ui/Visible";

const WORDS = 140;

type Found = ReadonlyMap<string, Message> | Refused | null;

function useSources(id: string, ids: readonly string[]): Found {
  const [found, setFound] = useState<Found>(null);
  const wanted = ids.join(" ");
  useEffect(() => {
    let isWanted = true;
    findSources(id, wanted.split(" ").filter(Boolean)).then(
      (messages) => isWanted && setFound(messages),
      (error) => isWanted && setFound(asRefused(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [id, wanted]);
  return found;
}

export function Sources({ id, ids }: { id: string; ids: readonly string[] }) {
  const found = useSources(id, ids);
  if (ids.length === 0) return <p className="soft">It stands on no message.</p>;
  if (found === null) return <Skeleton lines={3} label="Looking up the messages" />;
  if (found instanceof Error) {
    return (
      <p role="alert">
        {found.message} {found.remedy}
      </p>
    );
  }
  return (
    <ol className="inspector-sources">
      {ids.map((messageId) => (
        <li key={messageId}>
          <Link href={messageAddress(id, messageId)}>
            <Source message={found.get(messageId)} />
          </Link>
        </li>
      ))}
    </ol>
  );
}

function Source({ message }: { message: Message | undefined }) {
  if (!message || message.status === "redacted") {
    return <span className="soft">A message that has been erased</span>;
  }
  return (
    <>
      <span className="inspector-who">
        <b dir="auto">
          <Visible text={speakerOf(message)} />
        </b>{" "}
        <Time at={message.timestamp} />
      </span>
      <span className="inspector-words" dir="auto">
        <Visible text={head(message.content.trim(), WORDS) || "(no words)"} />
      </span>
    </>
  );
}
