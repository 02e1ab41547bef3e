// The heading of a day: which it is, the days beside it, the way to others, and the search.
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { ConversationMeta } from "../api/shapes";
import { useArrival, WALKED } from "../conversation/arrival";
import { Action } from "../header/Action";
import { ModelChoice } from "../header/ModelChoice";
import { useRoom } from "../header/useRoom";
import { moved } from "../insights/days";
import { openMemories } from "../memories/opening";
import { useCommand } from "../shell/commands";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { isWriting, spoken, useShortcut } from "../ui/keys";
import { counted } from "../ui/numbers";
import { fullDay, shortDay } from "../ui/times";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { dayAddress, isDay, TODAY } from "./address";
import { DatePicker } from "./DatePicker";
import { DaysDialog } from "./DaysDialog";
import { Finding } from "./Finding";
import { goToSummary } from "./Updated";
import type { Wanted } from "./wanted";
import "../header/header.css";

/** What is known of a day, also of one on which nothing was said, or of what is no day at all. */
export interface Known {
  day: string;
  today: string;
  previousDay: string | null;
  nextDay: string | null;
  messageCount: number;
  conversationId: string | null;
}

interface Props {
  known: Known;
  /** The day in the address; null at today's. */
  place: string | null;
  wanted: Wanted;
  /** Whether there is a summary to go to. */
  hasSummary: boolean;
  onContext: (turn: number | null) => void;
}

export const nameOf = (day: string, today: string): string => {
  if (day === today) return "Today";
  if (!isDay(day)) return day;
  return day === moved(today, -1) ? "Yesterday" : fullDay(day);
};

export function DayHeader({ known, place, wanted, hasSummary, onContext }: Props) {
  const { day, today, messageCount, conversationId } = known;
  const [, go] = useLocation();
  const header = useRef<HTMLElement>(null);
  const room = useRoom(header);
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const hasBox = room !== "small" || isFinding || wanted.q !== "";
  const conversation = useStore((state) => state.conversations[conversationId ?? ""]);
  const name = nameOf(day, today);
  const full = isDay(day) ? fullDay(day) : day;
  const isNamed = name !== full;
  const isShort = room === "small" && !isNamed && isDay(day);
  const pick = (wantedDay: string) => go(wantedDay === today ? TODAY : dayAddress(wantedDay));
  const heading = useHeading(day);
  useDocumentTitle(name);
  useContext(conversation, onContext);
  return (
    <header ref={header} className="header day-header" data-room={room}>
      <div className="header-line">
        <Beside known={known} />
        <h1
          ref={heading}
          className="header-title day-title"
          tabIndex={-1}
          title={isShort ? full : undefined}
        >
          {isShort ? shortDay(day, today) : name}
          {isNamed && <span className="day-full soft"> {full}</span>}
        </h1>
        <div className="header-actions">
          {conversation && room === "wide" && <ModelChoice conversation={conversation} />}
          {room === "small" && (
            <Action
              name="Search the days"
              icon="search"
              run={() => setFinding(!isFinding)}
              words={false}
            />
          )}
          {hasSummary && (
            <Action name="Summary" icon="notes" run={goToSummary} words={room !== "small"} />
          )}
          {conversation && (
            <Action
              name="Context"
              icon="context"
              run={() => onContext(null)}
              keys="context"
              words={room !== "small"}
            />
          )}
        </div>
      </div>
      <div className="day-bar">
        <nav className="day-selector" aria-label="Days">
          <Quick href={TODAY} isCurrent={day === today}>
            Today
          </Quick>
          <Quick href={dayAddress(moved(today, -1))} isCurrent={day === moved(today, -1)}>
            Yesterday
          </Quick>
          {room !== "small" && <DatePicker day={day} today={today} onPick={pick} />}
          <button type="button" className="button quiet" onClick={() => setOpen(true)}>
            <Icon name="calendar" />
            {room === "small" ? "Days" : "All days"}
          </button>
          {room === "wide" && messageCount > 0 && (
            <span className="header-facts">{counted(messageCount, "message")}</span>
          )}
        </nav>
        {hasBox && <Finding day={place} wanted={wanted} isAsked={isFinding} />}
      </div>
      {isOpen && (
        <DaysDialog day={day} today={today} onPick={pick} onClose={() => setOpen(false)} />
      )}
    </header>
  );
}

/** Whoever walks by keys goes on walking: the focus is on the heading, which tells the day. */
function useHeading(day: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { serial, isWalked } = useArrival();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts, and each day
  useEffect(() => {
    if (isWalked && !isWriting(document.activeElement)) heading.current?.focus();
  }, [serial, isWalked, day]);
  return heading;
}

function useContext(
  conversation: ConversationMeta | undefined,
  onContext: (turn: number | null) => void,
) {
  const look = () => {
    if (conversation) onContext(null);
  };
  useShortcut("context", look);
  useCommand(
    conversation
      ? {
          label: "Extract memories from this conversation",
          icon: "memory",
          words: "learn remember",
          run: () => openMemories({ kind: "extract", conversationId: conversation.id }),
        }
      : null,
  );
  useCommand(
    conversation
      ? {
          label: "Context",
          icon: "context",
          run: look,
          shortcut: "context",
          words: "what the model sees, tokens, inspector",
        }
      : null,
  );
}

interface QuickProps {
  href: string;
  isCurrent: boolean;
  children: string;
}

function Quick({ href, isCurrent, children }: QuickProps) {
  return (
    <Link
      href={href}
      className="button quiet day-quickly"
      aria-current={isCurrent ? "page" : undefined}
    >
      {children}
    </Link>
  );
}

/** The days before and after on which something was said; after the newest comes today. */
function Beside({ known }: { known: Known }) {
  const { today, previousDay, nextDay } = known;
  const [, go] = useLocation();
  const to = (there: string | null, state?: object) => {
    if (there !== null) go(there === today ? TODAY : dayAddress(there), { state });
  };
  useShortcut("previousDay", () => to(previousDay, WALKED));
  useShortcut("nextDay", () => to(nextDay, WALKED));
  return (
    <div className="day-beside">
      <button
        type="button"
        className="button quiet icon"
        aria-label="Previous day"
        aria-keyshortcuts={spoken("previousDay")}
        title={previousDay ? `Previous day: ${fullDay(previousDay)} ( [ )` : "No earlier day"}
        disabled={previousDay === null}
        onClick={() => to(previousDay)}
      >
        <Icon name="chevron-left" />
      </button>
      <button
        type="button"
        className="button quiet icon"
        aria-label="Next day"
        aria-keyshortcuts={spoken("nextDay")}
        title={nextDay ? `Next day: ${fullDay(nextDay)} ( ] )` : "No later day"}
        disabled={nextDay === null}
        onClick={() => to(nextDay)}
      >
        <Icon name="chevron-right" />
      </button>
    </div>
  );
}
