// A button that opens a panel beside it. Escape closes it and returns; whoever clicks elsewhere,
// goes on with Tab, or follows a link in it, leaves it closed.
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Floating } from "./Floating";
import "./popover.css";

interface Props {
  /** What the panel is called; also the button, if it shows only a picture. */
  label: string;
  /** What the button shows. */
  button: ReactNode;
  className?: string;
  isPicture?: boolean;
  /** The panel; it is made when it is opened. `close` returns the focus. */
  children: (close: () => void) => ReactNode;
}

export function Popover({
  label,
  button,
  className = "button quiet",
  isPicture = false,
  children,
}: Props) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useId();
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (isOpen) document.getElementById(panel)?.focus();
  }, [isOpen, panel]);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...(isOpen ? { "aria-controls": panel } : {})}
        {...(isPicture ? { "aria-label": label, title: label } : {})}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <Floating
          beside={opener}
          onOutside={() => setOpen(false)}
          id={panel}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className="ui-popover"
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            const isGone = relatedTarget && !currentTarget.contains(relatedTarget);
            if (isGone && relatedTarget !== opener.current) setOpen(false);
          }}
          onClick={(event) => {
            if ((event.target as Element).closest("a[href]")) setOpen(false);
          }}
        >
          {children(close)}
        </Floating>
      )}
    </>
  );
}
