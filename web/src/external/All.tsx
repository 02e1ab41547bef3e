// All exchanges: first those that need the owner, then the rest, each the latest first.
import { useMemo } from "react";
import { Link } from "wouter";
import { address } from "../api/client";
import { usePages } from "../api/usePages";
import { onExternals } from "../state/externals";
import { useChanges } from "../state/useChanges";
import { useShown } from "../state/useShown";
import { ChannelIcon } from "../ui/Icon";
import { More } from "../ui/More";
import { counted } from "../ui/numbers";
import { Skeleton } from "../ui/Skeleton";
import { Time } from "../ui/Time";
import { Trouble } from "../ui/Trouble";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { useRows } from "../ui/useRows";
import { Visible } from "../ui/Visible";
import { needsOwner, PATH } from "./needing";
import type { External, Listed } from "./shapes";
import { Trust } from "./Trust";
import { whoIs } from "./words";

const ROW = "ext-link";
const ON_A_PAGE = 100;
const NONE: readonly External[] = [];

const exchangesOf = ({ external }: Listed): readonly External[] => external;

export function All() {
  useDocumentTitle("External communications");
  const asked = usePages(address(PATH, { limit: ON_A_PAGE }), useChanges(onExternals), exchangesOf);
  const { answer, problem, askAgain } = asked;
  const shown = useShown(answer?.items ?? NONE);
  const needing = useMemo(() => shown.filter(needsOwner), [shown]);
  const others = useMemo(() => shown.filter((one) => !needsOwner(one)), [shown]);
  const ids = useMemo(() => [...needing, ...others].map(({ id }) => id), [needing, others]);
  const { list, reached, onReach, onKeyDown } = useRows(ROW, ids);
  const rows = { reached, onReach };
  return (
    <>
      <header className="ext-head">
        <h1 tabIndex={-1}>External communications</h1>
      </header>
      <Trouble problem={problem} again={askAgain} />
      {!answer && !problem && <Skeleton lines={8} label="Loading the exchanges" />}
      {answer && (
        <>
          {ids.length === 0 && !answer.nextCursor ? (
            <Empty />
          ) : (
            <p className="soft ext-intro">
              What others write to your channels. It is kept apart: nothing of it reaches your
              conversations or memories, and no search finds it but{" "}
              <Link href="/search?kind=external">one for what they wrote</Link>.
            </p>
          )}
          <p className="only-heard" role="status">
            {counted(ids.length, "exchange")},{" "}
            {needing.length === 0 ? "none needs" : needingOf(needing.length)} you.
          </p>
          {/* biome-ignore lint/a11y/useSemanticElements: the lists are inside, one for each part. */}
          <div ref={list} role="group" aria-label="Exchanges" onKeyDown={onKeyDown}>
            <Part name="Need you" exchanges={needing} {...rows} />
            <Part name={needing.length > 0 ? "All others" : "All"} exchanges={others} {...rows} />
          </div>
          {answer.nextCursor && (
            <More name="exchanges" isLoading={asked.isLoadingMore} load={asked.loadMore} />
          )}
        </>
      )}
    </>
  );
}

const needingOf = (many: number): string => `${many} ${many === 1 ? "needs" : "need"}`;

function Empty() {
  return (
    <div className="ext-empty">
      <p>
        When somebody who is not you writes to one of your channels, it stands here, apart from your
        conversations. You decide who is answered, and nothing they write reaches anything else.
      </p>
      <Link className="button" href="/settings#channels">
        See your channels
      </Link>
    </div>
  );
}

interface PartProps {
  name: string;
  exchanges: readonly External[];
  reached: string | null;
  onReach: (id: string) => void;
}

function Part({ name, exchanges, reached, onReach }: PartProps) {
  if (exchanges.length === 0) return null;
  return (
    <section className="ext-part" aria-label={name}>
      <h2>{name}</h2>
      <ul className="ext-list">
        {exchanges.map((one) => (
          <Row key={one.id} external={one} isReached={reached === one.id} onReach={onReach} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  external: External;
  isReached: boolean;
  onReach: (id: string) => void;
}

function Row({ external, isReached, onReach }: RowProps) {
  const { id, channel, name, party, updated, lastText, lastBy, trust, drafts, escalated } =
    external;
  return (
    <li className={`ext-row${needsOwner(external) ? " needing" : ""}`}>
      <ChannelIcon channel={channel} />
      <div className="ext-words">
        <p className="ext-who">
          <Link
            href={`/external/${id}`}
            className={ROW}
            tabIndex={isReached ? 0 : -1}
            onFocus={() => onReach(id)}
          >
            <bdi>
              <Visible text={whoIs(external)} />
            </bdi>
          </Link>
          {name?.trim() && (
            <bdi className="ext-party soft">
              <Visible text={party} />
            </bdi>
          )}
          <Trust trust={trust} />
          {drafts > 0 && (
            <span className="ext-chip calling">
              {counted(drafts, "draft waits", "drafts wait")}
            </span>
          )}
          {escalated && drafts === 0 && <span className="ext-chip calling">Not answered</span>}
        </p>
        <p className="ext-last soft">
          {lastBy === "assistant" && "Reply: "}
          <bdi>
            <Visible text={lastText.replace(/\s+/g, " ")} />
          </bdi>
        </p>
      </div>
      <span className="ext-when soft">
        <Time at={updated} as="ago" />
      </span>
    </li>
  );
}
