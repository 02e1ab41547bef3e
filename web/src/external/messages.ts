// The messages of an exchange, as far as they were loaded: the last ones, and those before as they
// are asked for.
import { useCallback, useEffect, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import type { Message } from "../api/shapes";
import { externalPath } from "./deeds";
import type { View, Withheld } from "./shapes";

/** Both, oldest first; what is told later holds. */
export function joined(before: readonly Message[], more: readonly Message[]): readonly Message[] {
  const all = new Map([...before, ...more].map((one) => [one.id, one]));
  return [...all.values()].sort((one, other) => one.seq - other.seq);
}

const keeping = (before: ReadonlyMap<string, Withheld>, { withheld }: View) =>
  new Map([...before, ...withheld.map((one) => [one.messageId, one] as const)]);

export interface Earlier {
  messages: readonly Message[];
  /** By what it was withheld from. */
  withheld: ReadonlyMap<string, Withheld>;
  hasEarlier: boolean;
  isLoading: boolean;
  problem: Refused | null;
  load: () => void;
}

export function useMessages(id: string, view: View | null): Earlier {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [withheld, setWithheld] = useState<ReadonlyMap<string, Withheld>>(new Map());
  const [hasEarlier, setHasEarlier] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Refused | null>(null);
  useEffect(() => {
    if (!view) return;
    setWithheld((before) => keeping(before, view));
    setMessages((before) => {
      if (before.length === 0) setHasEarlier(view.hasMore);
      return joined(before, view.messages);
    });
  }, [view]);
  const load = useCallback(() => {
    const first = messages[0];
    if (!first) return;
    setLoading(true);
    get<View>(externalPath(id), { before: first.id })
      .then(
        (earlier) => {
          setMessages((before) => joined(earlier.messages, before));
          setWithheld((before) => keeping(before, earlier));
          setHasEarlier(earlier.hasMore);
          setProblem(null);
        },
        (error: unknown) => setProblem(asRefused(error)),
      )
      .finally(() => setLoading(false));
  }, [id, messages]);
  return { messages, withheld, hasEarlier, isLoading, problem, load };
}
