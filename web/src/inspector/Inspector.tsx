// What the model saw for a turn, or would see next. Beside the conversation where there is room,
// else over it.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { address } from "../api/client";
import { apiPath } from "../api/paths";
import type { ContextPacket } from "../api/shapes";
import { useFetched } from "../api/useFetched";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { Skeleton } from "../ui/Skeleton";
import { useMedia } from "../ui/useMedia";
import { Packet } from "./Packet";
import { Preview } from "./Preview";
import { Stepper } from "./Stepper";
import "./inspector.css";

interface Props {
  id: string;
  /** null for the next message. */
  turn: number | null;
  onTurn: (turn: number | null) => void;
  onClose: () => void;
}

const HEADING = "inspector-heading";

/** Loaded when it is opened. */
export default function Inspector(props: Props) {
  const isBeside = useMedia("(min-width: 70rem)");
  useEffect(() => {
    const from = document.activeElement;
    document.getElementById(HEADING)?.focus();
    return () => {
      const to = from?.isConnected ? from : document.querySelector("main h1");
      if (to instanceof HTMLElement) to.focus();
    };
  }, []);
  return isBeside ? <Panel {...props} /> : <Sheet {...props} />;
}

function Panel(props: Props) {
  return (
    <aside
      className="inspector"
      aria-label="Context"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) props.onClose();
      }}
    >
      <Inside key={props.id} {...props} />
    </aside>
  );
}

function Sheet(props: Props) {
  const sheet = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const open = sheet.current;
    open?.showModal();
    return () => open?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it follows the links in it, which have keys.
    <dialog
      ref={sheet}
      className="inspector inspector-sheet"
      aria-label="Context"
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      // What a link in it leads to is under it.
      onClick={(event) => {
        if ((event.target as Element).closest("a[href^='/']")) props.onClose();
      }}
    >
      <Inside key={props.id} {...props} />
    </dialog>
  );
}

function Inside({ id, turn, onTurn, onClose }: Props) {
  const [message, setMessage] = useState("");
  const version = useStore(({ conversations, replying }) => {
    const { updated, turnCount } = conversations[id] ?? {};
    return replying[id] ? "replying" : `${updated} ${turnCount}`;
  });
  const query = turn === null ? { message } : { turn };
  const { data, problem, isLoading, again } = useFetched<ContextPacket>(
    address(apiPath(id, "context"), query),
    turn === null ? version : "",
  );
  return (
    <>
      <header className="inspector-head">
        <h2 id={HEADING} tabIndex={-1}>
          {turn === null ? "What the model would see next" : `What the model saw in turn ${turn}`}
        </h2>
        <button type="button" className="button quiet icon" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <Stepper id={id} turn={turn} onTurn={onTurn} />
      <div className="inspector-body" aria-busy={isLoading}>
        {turn === null && <Preview id={id} shown={message} onShow={setMessage} />}
        {problem ? (
          <Nothing turn={turn} problem={problem} again={again} />
        ) : data ? (
          <Packet id={id} packet={data} isNext={turn === null} />
        ) : (
          <Skeleton lines={8} label="Loading the context" />
        )}
      </div>
    </>
  );
}

interface NothingProps {
  turn: number | null;
  problem: { status: number; message: string; remedy: string };
  again: () => void;
}

function Nothing({ turn, problem, again }: NothingProps) {
  if (turn !== null && problem.status === 404) {
    return (
      <p className="soft">
        Nothing was kept for turn {turn}: no model answered in it, or its reply was erased.
      </p>
    );
  }
  return (
    <div role="alert">
      <p>
        {problem.message} {problem.remedy}
      </p>
      <button type="button" className="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}
