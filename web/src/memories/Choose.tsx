// A conversation to choose: the latest, or what is found by its title.
import { useEffect, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { ConversationMeta, ConversationPage } from "../api/shapes";
import { Icon } from "../ui/Icon";
import { Skeleton } from "../ui/Skeleton";
import { Time } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { titleOf } from "../ui/titles";
import { Visible } from "../ui/Visible";

const PAUSE = 150;
const MANY = 8;

/** The continuous one is found when nothing is typed. */
async function look(q: string, signal: AbortSignal): Promise<ConversationMeta[]> {
  const ask = (query: Record<string, string | number>) =>
    get<ConversationPage>("/api/conversations", query, signal);
  const [found, days] = await Promise.all([
    ask({ q, limit: MANY }),
    q ? null : ask({ mode: "continuous", limit: 1 }),
  ]);
  return [...(days?.conversations ?? []), ...found.conversations];
}

export const nameOf = (conversation: ConversationMeta): string =>
  conversation.mode === "continuous" ? "The continuous conversation" : titleOf(conversation);

export function Choose({ onChoose }: { onChoose: (conversation: ConversationMeta) => void }) {
  const [q, setQ] = useState("");
  const [found, setFound] = useState<readonly ConversationMeta[] | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);
  useEffect(() => {
    const asked = new AbortController();
    const ask = () =>
      look(q.trim(), asked.signal).then(
        (all) => {
          if (asked.signal.aborted) return;
          setFound(all);
          setProblem(null);
        },
        (error: unknown) => asked.signal.aborted || setProblem(asRefused(error)),
      );
    const timer = setTimeout(ask, q ? PAUSE : 0);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [q]);
  return (
    <>
      <span className="mem-box">
        <Icon name="search" size={16} />
        <input
          data-first
          type="search"
          className="field"
          aria-label="Find a conversation"
          placeholder="Find a conversation"
          autoComplete="off"
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
      </span>
      <Trouble problem={problem} />
      {!found && !problem && <Skeleton lines={4} label="Loading the conversations" />}
      {found?.length === 0 && <p className="soft">No conversation has such a title.</p>}
      <ul className="mem-choices" aria-label="Conversations">
        {found?.map((one) => (
          <li key={one.id}>
            <button type="button" className="mem-choice" onClick={() => onChoose(one)}>
              <span dir="auto">
                <Visible text={nameOf(one)} />
              </span>{" "}
              <span className="soft">
                <Time at={one.updated} as="ago" />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A conversation by its id, as it is called. */
export function useName(id: string | null, known: ConversationMeta | undefined): string {
  const [name, setName] = useState("");
  useEffect(() => {
    if (id === null || known) return;
    const asked = new AbortController();
    get<{ conversation: ConversationMeta }>(
      `/api/conversations/${encodeURIComponent(id)}`,
      { limit: 1 },
      asked.signal,
    ).then(
      ({ conversation }) => setName(nameOf(conversation)),
      () => undefined, // then it has no name here
    );
    return () => asked.abort();
  }, [id, known]);
  return known ? nameOf(known) : name;
}
