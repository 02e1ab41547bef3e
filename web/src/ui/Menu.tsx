// A button that opens a menu: arrows, Home and End walk, letters jump, Escape returns.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./Icon";
import { place } from "./place";
import "./menu.css";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** Small words at the end: a shortcut, a price. */
  hint?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Given for one of several to choose from. */
  checked?: boolean;
  run?: () => void;
  /** A link instead: a download, another page. */
  href?: string;
  download?: boolean;
}

interface Props {
  /** What the button is called. */
  label: string;
  items: readonly MenuItem[];
  /** What the button shows; three dots if nothing is given. */
  children?: ReactNode;
  className?: string;
  /** Told when it opens and closes. */
  onOpen?: (isOpen: boolean) => void;
}

export function Menu({ label, items, children, className, onOpen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const turn = (open: boolean) => {
    setOpen(open);
    onOpen?.(open);
  };
  const close = (returns: boolean) => {
    turn(false);
    if (returns) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? "button quiet icon"}
        {...(children ? {} : { "aria-label": label, title: label })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(isOpen ? { "aria-controls": id } : {})}
        onClick={() => turn(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          turn(true);
        }}
      >
        {children ?? <Icon name="more" />}
      </button>
      {isOpen && <Items id={id} label={label} items={items} button={button} close={close} />}
    </>
  );
}

function Items({
  id,
  label,
  items,
  button,
  close,
}: {
  id: string;
  label: string;
  items: readonly MenuItem[];
  button: { readonly current: HTMLElement | null };
  close: (returns: boolean) => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const latest = useRef(close);
  latest.current = close;

  useEffect(() => {
    const shown = menu.current;
    const opener = button.current;
    if (!shown || !opener) return;
    shown.showPopover?.(); // over everything, whatever scrolls or cuts around it
    place(shown, opener);
    entries(shown)[0]?.focus();
    const outside = (event: Event) => {
      const target = event.target as Node;
      if (!shown.contains(target) && !opener.contains(target)) latest.current(false);
    };
    const moved = () => latest.current(false);
    document.addEventListener("pointerdown", outside);
    window.addEventListener("resize", moved);
    return () => {
      document.removeEventListener("pointerdown", outside);
      window.removeEventListener("resize", moved);
    };
  }, [button]);

  const choose = (item: MenuItem) => {
    if (item.disabled) return;
    close(true); // first, so that a dialog which opens knows where to return to
    item.run?.();
  };

  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      aria-label={label}
      popover="manual"
      tabIndex={-1}
      className="ui-menu"
      onKeyDown={(event) => walk(event, close)}
    >
      {items.map((item) => (
        <Entry key={item.label} item={item} choose={choose} />
      ))}
    </div>
  );
}

function Entry({ item, choose }: { item: MenuItem; choose: (item: MenuItem) => void }) {
  const { label, icon, hint, danger, disabled = false, checked, href, download = false } = item;
  const inside = (
    <>
      <span className="ui-menu-icon">
        {checked === true ? <Icon name="check" /> : icon && <Icon name={icon} />}
      </span>
      <span className="ui-menu-label">{label}</span>
      {hint && <span className="ui-menu-hint">{hint}</span>}
    </>
  );
  const same = { className: `ui-menu-item${danger ? " danger" : ""}`, tabIndex: -1 };
  if (href !== undefined && !disabled) {
    return (
      <a {...same} role="menuitem" href={href} download={download} onClick={() => choose(item)}>
        {inside}
      </a>
    );
  }
  const aria = { "aria-disabled": disabled, onClick: () => choose(item) };
  return checked === undefined ? (
    <button {...same} {...aria} type="button" role="menuitem">
      {inside}
    </button>
  ) : (
    <button {...same} {...aria} type="button" role="menuitemradio" aria-checked={checked}>
      {inside}
    </button>
  );
}

const entries = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>(".ui-menu-item"),
];

function walk(event: KeyboardEvent<HTMLElement>, close: (returns: boolean) => void) {
  const all = entries(event.currentTarget);
  const here = all.indexOf(document.activeElement as HTMLElement);
  const to = (index: number) => all.at(index % all.length)?.focus();
  if (event.key === "ArrowDown") to(here + 1);
  else if (event.key === "ArrowUp") to(here - 1);
  else if (event.key === "Home") to(0);
  else if (event.key === "End") to(-1);
  else if (event.key === "Escape" || event.key === "Tab") close(true);
  else if (event.key.length === 1 && event.key !== " ") {
    const begins = (one: HTMLElement) =>
      (one.querySelector(".ui-menu-label")?.textContent ?? "")
        .toLowerCase()
        .startsWith(event.key.toLowerCase());
    [...all.slice(here + 1), ...all.slice(0, here + 1)].find(begins)?.focus();
  } else return;
  event.stopPropagation();
  if (event.key !== "Tab") event.preventDefault();
}
