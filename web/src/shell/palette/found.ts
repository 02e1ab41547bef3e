// What the palette offers for some words: commands, days, conversations, memories and messages.
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { get } from "../../api/client";
import type {
  ConversationMeta,
  ConversationPage,
  SearchPage,
  SearchResult,
} from "../../api/shapes";
import { dayAddress } from "../../continuous/address";
import type { Memory, MemoryPage } from "../../memories/shapes";
import { memoryAddress } from "../../memories/wanted";
import { useStore } from "../../state/store";
import type { IconName } from "../../ui/Icon";
import { SHORTCUTS } from "../../ui/keys";
import { useZone } from "../../ui/Time";
import { dayOf, fullDay } from "../../ui/times";
import { titleOf } from "../../ui/titles";
import { type Command, useCommands } from "../commands";
import { daySaid } from "./daySaid";
import { fits, WEAK } from "./fuzzy";

export interface Offer {
  id: string;
  group: "Commands" | "Days" | "Conversations" | "Memories" | "Messages";
  label: string;
  icon?: IconName;
  channel?: string;
  /** When it was said. */
  at?: string;
  /** What was said. */
  words?: string;
  keys?: string;
  run: () => void;
}

const PAUSE = 120;
const MANY = 6;
const FEW = 4;

export function useOffers(query: string): { offers: Offer[]; isLooking: boolean } {
  const [, go] = useLocation();
  const commands = useCommands();
  const zone = useZone();
  const listed = useStore((state) => state.listed);
  const known = useStore((state) => state.conversations);
  const { conversations, memories, messages, isLooking } = useRemote(query.trim());

  const offers = useMemo(() => {
    const here = listed.flatMap((id) => known[id] ?? []);
    const chosen = bestConversations(query, [...here, ...conversations]);
    const { offers: done, isMeant } = bestCommands(query, commands);
    const day = daySaid(query, dayOf(Date.now(), zone));
    const found = [
      ...(day === null ? [] : [dayOffer(day, go)]),
      ...chosen.map((one) => conversationOffer(one, go)),
      ...memories.map((one) => memoryOffer(one, go)),
      ...messages.map((one) => messageOffer(one, go)),
    ];
    if (isMeant) return [...done, ...found];
    // What hardly fits comes last, and only then: nothing moves under the finger.
    return isLooking ? found : [...found, ...done];
  }, [query, commands, listed, known, conversations, memories, messages, go, isLooking, zone]);
  return { offers, isLooking };
}

/** `isMeant`: they fit so well that they come first. Before anything is typed, where one has been
 * does; those that hardly fit are left out beside those that do. */
function bestCommands(query: string, commands: readonly Command[]) {
  const fitting = commands
    .map((command) => ({
      command,
      score: Math.max(fits(query, command.label), fits(query, command.words ?? "") * 0.9),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const meant = fitting.filter(({ score }) => score > WEAK);
  const isMeant = meant.length > 0;
  const ranked = isMeant ? meant : fitting;
  const offers = ranked.slice(0, query.trim() ? MANY : 20).map(
    ({ command }): Offer => ({
      id: `command ${command.label}`,
      group: "Commands",
      label: command.label,
      icon: command.icon,
      run: command.run,
      ...(command.shortcut ? { keys: SHORTCUTS[command.shortcut].keys[0] } : {}),
    }),
  );
  return { offers, isMeant };
}

/** The latest first among those that fit as well. */
function bestConversations(query: string, all: readonly ConversationMeta[]): ConversationMeta[] {
  const once = [...new Map(all.map((one) => [one.id, one])).values()];
  return once
    .map((one) => ({ one, score: fits(query, titleOf(one)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || Date.parse(b.one.updated) - Date.parse(a.one.updated))
    .slice(0, MANY)
    .map(({ one }) => one);
}

const dayOffer = (day: string, go: (to: string) => void): Offer => ({
  id: `day ${day}`,
  group: "Days",
  label: fullDay(day),
  icon: "calendar",
  run: () => go(dayAddress(day)),
});

const conversationOffer = (one: ConversationMeta, go: (to: string) => void): Offer => ({
  id: `conversation ${one.id}`,
  group: "Conversations",
  label: titleOf(one),
  channel: one.channel,
  at: one.updated,
  run: () => go(`/c/${one.id}`),
});

const memoryOffer = (one: Memory, go: (to: string) => void): Offer => ({
  id: `memory ${one.id}`,
  group: "Memories",
  label: one.content,
  icon: "memory",
  at: one.validFrom ?? one.created,
  run: () => go(memoryAddress(one.id)),
});

function messageOffer(one: SearchResult, go: (to: string) => void): Offer {
  const message = one.messageIds[0];
  return {
    id: `message ${one.conversationId} ${one.turnRange}`,
    group: "Messages",
    label: one.title || one.conversationName || "New conversation",
    words: one.snippet,
    channel: one.channel,
    at: one.timestamp,
    run: () => go(message ? `/c/${one.conversationId}#${message}` : `/c/${one.conversationId}`),
  };
}

interface Remote {
  conversations: readonly ConversationMeta[];
  memories: readonly Memory[];
  messages: readonly SearchResult[];
}

const NOTHING: Remote = { conversations: [], memories: [], messages: [] };

/** Asks the server, after a short pause; what was found stays until the next answer. */
function useRemote(query: string): Remote & { isLooking: boolean } {
  const [found, setFound] = useState<Remote>(NOTHING);
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    if (!query) {
      setFound(NOTHING);
      setLooking(false);
      return;
    }
    setLooking(true);
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      // One that fails leaves the other standing: the palette is only a shortcut.
      const [titles, kept, said] = await Promise.allSettled([
        get<ConversationPage>("/api/conversations", { q: query, limit: MANY }, asking.signal),
        get<MemoryPage>("/api/memories", { q: query, limit: FEW }, asking.signal),
        get<SearchPage>("/api/search", { q: query, kind: "message", limit: MANY }, asking.signal),
      ]);
      if (asking.signal.aborted) return;
      setFound({
        conversations: titles.status === "fulfilled" ? titles.value.conversations : [],
        memories: kept.status === "fulfilled" ? (kept.value.memories ?? []) : [],
        messages: said.status === "fulfilled" ? said.value.results : [],
      });
      setLooking(false);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return { ...found, isLooking };
}
