// What is told in a corner, without covering what somebody does. Problems are heard at once and
// stay; the rest is heard politely and goes by itself, but not while somebody looks at it.
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { undoErase, undoEraseMessage, undoForget } from "../state/actions";
import type { Erasing, ErasingMessage, Forgetting, Notice } from "../state/model";
import { dismiss } from "../state/notices";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { useCommand } from "./commands";
import "./notices.css";

export function Notices() {
  const notices = useStore((state) => state.notices);
  const erasing = useStore((state) => state.erasing);
  const erasingMessages = useStore((state) => state.erasingMessages);
  const forgetting = useStore((state) => state.forgetting);
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const section = useRef<HTMLElement>(null);
  // One that goes with the focus takes it away without a word.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one may have gone
  useEffect(() => {
    setFocus(section.current?.contains(document.activeElement) ?? false);
  }, [notices, erasing, erasingMessages, forgetting]);
  const isLookedAt = isPointedAt || hasFocus;
  const shown = (kind: Notice["kind"]) =>
    notices
      .filter((one) => one.kind === kind)
      .map((one) => <Told key={one.id} notice={one} isPaused={isLookedAt} />);
  return (
    // The pause is for those who read slowly; there is nothing to operate here.
    <section
      ref={section}
      aria-label="Notices"
      className="shell-notices"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <div role="alert">{shown("problem")}</div>
      <div role="status">
        {shown("info")}
        {erasing.map((one) => (
          <UndoConversation key={one.conversationId} erasing={one} />
        ))}
        {erasingMessages.map((one) => (
          <UndoMessage key={one.messageId} erasing={one} />
        ))}
        {forgetting.map((one) => (
          <UndoForget key={one.id} forgetting={one} />
        ))}
      </div>
    </section>
  );
}

function Told({ notice, isPaused }: { notice: Notice; isPaused: boolean }) {
  const { id, kind, text, remedy, action, lasts } = notice;
  useTimer(lasts, isPaused, () => dismiss(id));
  const run = () => {
    dismiss(id);
    action?.run();
  };
  useCommand(action && { label: `${action.label}: ${text}`, icon: "undo", run });
  return (
    <div className={`shell-notice ${kind}`}>
      <Icon name={kind === "problem" ? "warning" : "info"} />
      <p>
        {text} {remedy && <span className="soft">{remedy}</span>}
      </p>
      {action && (
        <button type="button" className="button" onClick={run}>
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="button quiet icon"
        aria-label="Dismiss"
        onClick={() => dismiss(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** A conversation that goes in a moment. Undo returns to it if it was being looked at. */
function UndoConversation({ erasing }: { erasing: Erasing }) {
  const { conversationId, title, wasShown } = erasing;
  const [, go] = useLocation();
  const undo = () => {
    undoErase(conversationId);
    if (wasShown) go(`/c/${conversationId}`);
  };
  return <Undo what={title} undo={undo} />;
}

function UndoMessage({ erasing }: { erasing: ErasingMessage }) {
  return <Undo what={erasing.words} undo={() => undoEraseMessage(erasing)} />;
}

function Undo({ what, undo }: { what: string; undo: () => void }) {
  useCommand({ label: `Undo: erase “${what}”`, icon: "undo", run: undo });
  return (
    <div className="shell-notice info">
      <Icon name="trash" />
      <p>“{what}” is being erased.</p>
      <button type="button" className="button" onClick={undo}>
        Undo
      </button>
    </div>
  );
}

/** Memories that go in a moment. */
function UndoForget({ forgetting: { id, text } }: { forgetting: Forgetting }) {
  const undo = () => undoForget(id);
  useCommand({ label: `Undo: ${text}`, icon: "undo", run: undo });
  return (
    <div className="shell-notice info">
      <Icon name="trash" />
      <p>{text}</p>
      <button type="button" className="button" onClick={undo}>
        Undo
      </button>
    </div>
  );
}

/** Calls `done` after so many milliseconds; a pause stops the clock. */
function useTimer(lasts: number | null, isPaused: boolean, done: () => void) {
  const left = useRef(lasts ?? 0);
  const latest = useRef(done);
  latest.current = done;
  useEffect(() => {
    if (lasts === null || isPaused) return;
    const began = Date.now();
    const timer = setTimeout(() => latest.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - began;
    };
  }, [lasts, isPaused]);
}
