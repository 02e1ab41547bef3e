// One exchange: what was said, in their own words, what waits for the owner, and how they are
// treated.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useFetched } from "../api/useFetched";
import { useMay } from "../settings/may";
import { useCommand } from "../shell/commands";
import { onExternals } from "../state/externals";
import { useChanges } from "../state/useChanges";
import { useShown } from "../state/useShown";
import { EraseDialog } from "../ui/EraseDialog";
import { ChannelIcon, channelName, Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { Time } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { useRows } from "../ui/useRows";
import { Visible } from "../ui/Visible";
import { Answer } from "./Answer";
import { Calling } from "./Calling";
import { Draft } from "./Draft";
import { eraseExternal, externalPath } from "./deeds";
import { useMessages } from "./messages";
import { ITEM, Said } from "./Said";
import { Standing } from "./Standing";
import type { External, View, Draft as Written } from "./shapes";
import { whoIs } from "./words";

export function Exchange({ id }: { id: string }) {
  const asked = useFetched<View>(externalPath(id), String(useChanges(onExternals)));
  const { data, problem, again } = asked;
  const there = useMemo(() => (data ? [data.external] : []), [data]);
  const [external] = useShown(there);
  const isGone = problem?.status === 404 || problem?.status === 410 || (data && !external);
  useDocumentTitle(external ? whoIs(external) : "External communications");
  return (
    <>
      <p className="ext-back">
        <Link href="/external" className="button quiet">
          <Icon name="chevron-left" size={16} />
          External communications
        </Link>
      </p>
      {isGone ? (
        <>
          <h1 tabIndex={-1}>This exchange is not here</h1>
          <p>It was erased, or never was.</p>
        </>
      ) : (
        <>
          {!external && <h1 className="only-heard">External communication</h1>}
          <Trouble problem={problem} again={again} />
          {!data && !problem && <Skeleton lines={8} label="Loading the exchange" />}
          {data && external && <Open view={data} external={external} />}
        </>
      )}
    </>
  );
}

function Open({ view, external }: { view: View; external: External }) {
  const [isErasing, setErasing] = useState(false);
  const [, go] = useLocation();
  const mayErase = useMay("write");
  const erase = () => setErasing(true);
  useCommand(
    mayErase
      ? { label: "Erase this exchange", icon: "trash", words: "delete remove", run: erase }
      : null,
  );
  return (
    <>
      <Head external={external} onErase={mayErase ? erase : null} />
      <Calling
        external={external}
        isAnswered={view.messages.at(-1)?.author?.kind === "owner"}
        isReachable={!view.unreachable}
      />
      <Standing external={external} />
      <Messages view={view} external={external} onErase={mayErase ? erase : null} />
      <Answer view={view} />
      {isErasing && (
        <EraseDialog
          title="Erase this exchange?"
          name={whoIs(external)}
          path={externalPath(external.id)}
          warning="Nothing that was sent is taken back. You can undo it for a few seconds. After that nobody can bring it back."
          onErase={() => {
            eraseExternal(external, view.drafts);
            go("/external");
          }}
          onClose={() => setErasing(false)}
        />
      )}
    </>
  );
}

function Head({ external, onErase }: { external: External; onErase: (() => void) | null }) {
  const { channel, name, party, created, messageCount } = external;
  return (
    <header className="ext-head">
      <div>
        <h1 tabIndex={-1}>
          <bdi>
            <Visible text={whoIs(external)} />
          </bdi>
        </h1>
        <p className="ext-about soft">
          <span>
            <ChannelIcon channel={channel} size={15} /> {channelName(channel)}
          </span>
          {name?.trim() && (
            <bdi>
              <Visible text={party} />
            </bdi>
          )}
          <span>{counted(messageCount, "message")}</span>
          <span>
            begun <Time at={created} />
          </span>
        </p>
      </div>
      {onErase && (
        <button
          type="button"
          className="button quiet icon"
          aria-label="Erase this exchange"
          title="Erase this exchange (Del)"
          onClick={onErase}
        >
          <Icon name="trash" />
        </button>
      )}
    </header>
  );
}

interface MessagesProps {
  view: View;
  external: External;
  onErase: (() => void) | null;
}

function Messages({ view, external, onErase }: MessagesProps) {
  const { messages, withheld, hasEarlier, isLoading, problem, load } = useMessages(
    external.id,
    view,
  );
  const drafts = useShown(view.drafts);
  const ids = useMemo(() => [...messages, ...drafts].map(({ id }) => id), [messages, drafts]);
  const { list, reached, onReach, onKeyDown } = useRows(ITEM, ids);
  const { found, isSought } = useNamed(ids, hasEarlier && !isLoading && !problem ? load : null);
  const isHere = found === null || messages.length === 0 || ids.includes(found);
  const missing = isHere || (hasEarlier && isSought) ? null : hasEarlier ? EARLIER : GONE;
  useFirstDraft(drafts);
  const press = (event: KeyboardEvent) => {
    const isRow = event.target instanceof Element && event.target.classList.contains(ITEM);
    if (event.key === "Delete" && isRow && onErase) {
      event.preventDefault();
      onErase();
    } else onKeyDown(event);
  };
  const row = (id: string) => ({ isReached: reached === id, onReach });
  return (
    // biome-ignore lint/a11y/useSemanticElements: it has no fields; keys go from one to the next.
    <div ref={list} role="group" aria-label="Messages" className="ext-messages" onKeyDown={press}>
      {hasEarlier && (
        <button type="button" className="button" disabled={isLoading} onClick={load}>
          {isLoading ? "Loading…" : "Earlier messages"}
        </button>
      )}
      <Trouble problem={problem} />
      <p className={missing ? "soft" : "only-heard"} role="status">
        {missing}
      </p>
      {messages.map((message) => (
        <Said
          key={message.id}
          message={message}
          external={external}
          withheld={withheld.get(message.id)}
          isFound={found === message.id}
          {...row(message.id)}
        />
      ))}
      {drafts.map((draft) => (
        <Draft
          key={draft.id}
          draft={draft}
          external={external}
          withheld={draft.messageId ? withheld.get(draft.messageId) : undefined}
          {...row(draft.id)}
        />
      ))}
      <p className="only-heard" role="status">
        {drafts.length > 0 &&
          `${counted(drafts.length, "draft waits", "drafts wait")} for your word: a approves, e edits, r rejects.`}
      </p>
    </div>
  );
}

const named = (): string | null => {
  const hash = location.hash.slice(1);
  return hash.startsWith("msg-") ? hash : null;
};

const GONE = "The message that you came for is not here any more.";
const EARLIER =
  "The message that you came for is not among these. It is earlier, or not here any more.";
/** So many pages are loaded in search of a message. */
const MOST_PAGES = 20;

interface Named {
  /** The message that the address names. */
  found: string | null;
  /** Whether earlier pages are still loaded in search of it. */
  isSought: boolean;
}

/** Whoever comes for a message stands at it, as soon as it is loaded. */
function useNamed(ids: readonly string[], load: (() => void) | null): Named {
  const [found] = useState(named);
  const [pages, setPages] = useState(0);
  const isThere = useRef(false);
  const isSought = pages < MOST_PAGES;
  useEffect(() => {
    if (found === null || isThere.current) return;
    if (!ids.includes(found)) {
      if (load && isSought) {
        setPages((before) => before + 1);
        load();
      }
      return;
    }
    isThere.current = true;
    const article = document.getElementById(found);
    article?.focus({ preventScroll: true });
    article?.scrollIntoView?.({ block: "center" });
  }, [ids, found, load, isSought]);
  return { found, isSought };
}

/** Whoever comes where a draft waits stands at it, unless they come for a message. */
function useFirstDraft(drafts: readonly Written[]): void {
  const first = useRef(named() === null ? drafts[0]?.id : undefined);
  useEffect(() => {
    const { activeElement: active, body } = document;
    if (first.current === undefined || (active !== body && active?.tagName !== "H1")) return;
    document.getElementById(first.current)?.focus();
  }, []);
}
