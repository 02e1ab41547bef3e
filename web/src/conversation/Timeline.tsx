// Messages, one below the other. Only those near what is seen are made, so that ten thousand
// scroll as ten do.
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { loadEarlier, loadEnd, loadLater } from "../state/actions";
import { useStore } from "../state/store";
import { Article } from "./Article";
import { type Arrival, stand, TOP } from "./arrival";
import { Jump } from "./Jump";
import { ReplyProblem } from "./ReplyProblem";
import type { Row } from "./rows";
import { Selected } from "./Selected";
import { useFollowing } from "./useFollowing";
import { useHead } from "./useHead";
import type { Rows } from "./useRows";
import { useWalking } from "./useWalking";
import "./transcript.css";

/** How far from an end more is fetched, in heights of what is seen. */
const AHEAD = 1.5;
/** How much is made beyond what is seen, in pixels: little at first, so that it is there at once;
 * then so much that the page can be searched, selected and read out over several screens. */
const BEYOND_AT_FIRST = 400;
const BEYOND = 6_000;
const AT_FIRST = 300;
const LIT_FOR = 2_400;
/** Quoted words stay marked until one has found them. */
const QUOTED_FOR = 8_000;
const SETTLED = 120;

interface Props extends Rows {
  id: string;
  arrival: Arrival;
  /** What the address names has been fetched, if there is such a thing. */
  isFetched: boolean;
  /** What stands above a row, and below it. */
  above?: (row: Row, before: Row | undefined) => ReactNode;
  below?: (row: Row) => ReactNode;
  /** What stands above all of them, and scrolls with them. */
  head?: ReactNode;
  /** It is over: what comes now does not belong here. */
  isPast?: boolean;
  /** It is read from its beginning. */
  fromTop?: boolean;
  /** Whether earlier messages that are on the server belong here, and later ones. */
  hasEarlier?: boolean;
  hasLater?: boolean;
  /** Another text when rows were folded or unfolded by hand: then they open downwards. */
  fold?: string;
}

const nothing = () => null;

export function Timeline({ id, arrival, isFetched, rows, last, lastOwn, ...props }: Props) {
  const {
    above = nothing,
    below = nothing,
    head,
    isPast = false,
    fromTop = false,
    fold = "",
  } = props;
  const hasHead = head !== undefined;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const transcript = useStore((state) => state.transcripts[id]);
  const hasEarlier = (props.hasEarlier ?? true) && transcript?.hasEarlier;
  const hasLater = (props.hasLater ?? true) && transcript?.hasLater;
  const { isFollowing, isFollowingNow, follow, leave, onScroll } = useFollowing(scroller, isPast);
  const [lit, setLit] = useState<string | null>(null);
  const [quoted, setQuoted] = useState<{ messageId: string; quote: string } | null>(null);

  const [beyond, setBeyond] = useState(BEYOND_AT_FIRST);
  useEffect(() => {
    const timer = setTimeout(() => setBeyond(BEYOND), AT_FIRST);
    return () => clearTimeout(timer);
  }, []);

  // Earlier messages come in above: what is seen stays where it is.
  const first = useRef<{ key: string | undefined; fold: string }>({ key: undefined, fold });
  const firstKey = rows[0]?.key;
  const before = first.current;
  const isLonger = before.key !== undefined && before.key !== firstKey && before.fold === fold;
  useLayoutEffect(() => {
    if (first.current.fold !== fold) leave(); // whoever unfolds something wants to read it
    first.current = { key: firstKey, fold };
  }, [firstKey, fold, leave]);
  const { headRef, height } = useHead(scroller, isFollowingNow);

  const indexOf = useCallback(
    (messageId: string) => rows.findIndex(({ message }) => message.id === messageId),
    [rows],
  );
  const walking = useWalking({ rows, list, leave, last, lastOwn });
  const { reach } = walking;

  // One arrives once for each address, as soon as what it names is there.
  const arrived = useRef(-1);
  useLayoutEffect(() => {
    if (arrived.current === arrival.serial || (hasHead && height === 0)) return;
    const { standing, target, quote } = arrival;
    const isTop = standing?.messageId === TOP;
    const wanted = isTop ? null : (standing?.messageId ?? target);
    const index = wanted ? indexOf(wanted) : -1;
    if (wanted && index < 0 && !isFetched) return; // it may still come
    arrived.current = arrival.serial;
    if (index < 0) {
      if (isTop || fromTop) {
        leave();
        if (scroller.current) scroller.current.scrollTop = isTop ? standing.offset : 0;
      } else follow();
      return;
    }
    leave();
    if (standing) list.current?.scrollToIndex(index, { align: "start", offset: -standing.offset });
    else list.current?.scrollToIndex(index, { align: "center" });
    if (target && !standing) {
      setLit(target);
      setQuoted(quote ? { messageId: target, quote } : null);
      reach(rows[index]?.key ?? null, true);
    }
  }, [arrival, indexOf, rows, isFetched, fromTop, hasHead, height, follow, leave, reach]);
  useEffect(() => {
    if (lit === null) return;
    const timer = setTimeout(() => setLit(null), LIT_FOR);
    return () => clearTimeout(timer);
  }, [lit]);

  useEffect(() => {
    if (quoted === null) return;
    const timer = setTimeout(() => setQuoted(null), QUOTED_FOR);
    return () => clearTimeout(timer);
  }, [quoted]);

  // What one says oneself is seen, wherever one was.
  const saying = useStore((state) => state.outbox.findLast((one) => one.place === id)?.key);
  const said = useRef(saying);
  useEffect(() => {
    if (saying === said.current) return;
    said.current = saying;
    if (!saying || isPast) return;
    if (hasLater) loadEnd(id).then(follow);
    else follow();
  }, [saying, hasLater, isPast, id, follow]);

  const fetchMore = useCallback(() => {
    const element = scroller.current;
    if (!element || !transcript || transcript.loading) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (hasEarlier && scrollTop < AHEAD * clientHeight) loadEarlier(id);
    else if (hasLater && scrollHeight - scrollTop < (1 + AHEAD) * clientHeight) loadLater(id);
  }, [id, transcript, hasEarlier, hasLater]);
  useEffect(fetchMore, [fetchMore]);

  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepStanding = () => {
    const element = scroller.current;
    const handle = list.current;
    if (!element || !handle || arrived.current < 0) return;
    const top = Math.round(element.scrollTop);
    const index = handle.findItemIndex(element.scrollTop);
    const row = rows[index];
    if (isFollowingNow()) stand(null);
    else if (top < height) stand({ messageId: TOP, offset: top });
    else if (!row || row.outgoing) stand(null);
    else
      stand({
        messageId: row.message.id,
        offset: Math.round(height + handle.getItemOffset(index) - element.scrollTop),
      });
  };
  useEffect(() => () => clearTimeout(settling.current), []);

  const jump = () => {
    if (hasLater) loadEnd(id).then(follow);
    else follow();
  };
  const isAtEnd = isFollowing && !hasLater;
  return (
    <div className="talk-transcript">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys go from message to message */}
      <div
        ref={scroller}
        className="talk-scroller"
        onScroll={() => {
          onScroll();
          fetchMore();
          clearTimeout(settling.current);
          settling.current = setTimeout(keepStanding, SETTLED);
        }}
        onKeyDown={walking.onKeyDown}
      >
        {hasHead && <div ref={headRef}>{head}</div>}
        <Virtualizer
          ref={list}
          data={rows}
          shift={isLonger}
          startMargin={height}
          scrollRef={scroller}
          keepMounted={walking.keepMounted}
          bufferSize={beyond}
        >
          {(row, index) => (
            <div key={row.key} className="talk-row">
              {above(row, rows[index - 1])}
              <Article
                row={row}
                isLit={lit === row.message.id}
                quote={quoted?.messageId === row.message.id ? quoted.quote : null}
                isReached={walking.reached === row.key}
                isLast={last === row.key}
                isLastOwn={lastOwn === row.key}
              />
              {below(row)}
            </div>
          )}
        </Virtualizer>
        {!isPast && <ReplyProblem id={id} last={last === null ? null : (rows.at(-1) ?? null)} />}
      </div>
      <Selected scroller={scroller} rows={rows} />
      {transcript?.loading === "earlier" && <p className="talk-loading">Earlier messages…</p>}
      {!isAtEnd && !isPast && <Jump rows={rows} hasLater={hasLater ?? false} onJump={jump} />}
    </div>
  );
}
