// A dialog over the page: Escape or a click beside it closes, and the focus returns.
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Icon } from "./Icon";
import "./dialog.css";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** The buttons at the end, the one that goes on last. */
  actions?: ReactNode;
  /** For those that are wider or have no visible heading. */
  className?: string;
}

/** It is open as long as it is rendered. The focus begins at what has `data-first`, else at the
 * button that closes. */
export function Dialog({ title, onClose, children, actions, className = "" }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const open = dialog.current;
    open?.showModal();
    open?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => open?.close(); // before it is taken away, so that the browser returns the focus
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key of it; the click is beside it.
    <dialog
      ref={dialog}
      className={`ui-dialog ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="ui-dialog-sheet">
        <header className="ui-dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" className="button quiet icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="ui-dialog-body">{children}</div>
        {actions && <footer className="ui-dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
