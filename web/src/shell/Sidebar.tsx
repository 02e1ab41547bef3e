// The list beside the conversation; on a phone a drawer over it.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useRoute } from "wouter";
import { TODAY } from "../continuous/address";
import { useNeeding } from "../external/needing";
import { useStore } from "../state/store";
import { Icon, type IconName } from "../ui/Icon";
import { shown, spoken } from "../ui/keys";
import { useIsNarrow } from "../ui/useMedia";
import { ConversationList } from "./ConversationList";
import { openDrawer, showList, useLayout } from "./layout";
import { openOverlay } from "./Overlays";
import { Resizer } from "./Resizer";
import { SearchBox } from "./SearchBox";
import { useStartNew } from "./startNew";
import "./side.css";

export function Sidebar() {
  const isNarrow = useIsNarrow();
  const { isListShown, isDrawerOpen, width } = useLayout();
  if (isNarrow) return <Drawer isOpen={isDrawerOpen} />;
  if (!isListShown) return null;
  return (
    <aside className="shell-side" style={{ width }}>
      <Inside onHide={() => showList(false)} hide="Hide the list" onGo={() => undefined} />
      <Resizer />
    </aside>
  );
}

/** Open, it alone can be reached (the rest of the page is inert); Escape or a tap beside it
 * closes. Closed, it cannot be reached. */
function Drawer({ isOpen }: { isOpen: boolean }) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    drawer.current?.querySelector<HTMLElement>("button, a")?.focus();
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) openDrawer(false);
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      const { activeElement: active, body } = document;
      // Whoever went beyond its last button is nowhere.
      const isInside = active === body || drawer.current?.contains(active);
      if (isInside && opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus());
    };
  }, [isOpen]);
  const close = () => openDrawer(false);
  return (
    <>
      <div className={`shell-scrim${isOpen ? " open" : ""}`} aria-hidden="true" onClick={close} />
      <aside
        ref={drawer}
        className={`shell-side drawer${isOpen ? " open" : ""}`}
        inert={!isOpen}
        aria-label="The list"
      >
        <Inside onHide={close} hide="Close the list" onGo={close} />
      </aside>
    </>
  );
}

function Inside({ onHide, hide, onGo }: { onHide: () => void; hide: string; onGo: () => void }) {
  const [isArchived, setArchived] = useState(false);
  const startNew = useStartNew();
  return (
    <>
      <div className="shell-side-head">
        <button
          type="button"
          className="button primary shell-new"
          aria-keyshortcuts={spoken("new")}
          title={`New conversation (${shown("alt+n")})`}
          onClick={() => {
            onGo();
            startNew();
          }}
        >
          <Icon name="plus" />
          New conversation
        </button>
        <button
          type="button"
          className="button quiet icon"
          aria-label={hide}
          title={`${hide} (${shown("mod+b")})`}
          onClick={onHide}
        >
          <Icon name="sidebar" />
        </button>
      </div>
      <TodayLink onGo={onGo} />
      <SearchBox />
      <ConversationList isArchived={isArchived} onGo={onGo} />
      <div className="shell-side-foot">
        <button
          type="button"
          className="shell-foot-link"
          aria-pressed={isArchived}
          onClick={() => setArchived(!isArchived)}
        >
          <Icon name="archive" />
          Archived
        </button>
        <button
          type="button"
          className="shell-foot-link"
          aria-keyshortcuts={spoken("palette")}
          title={`Find anything, or do anything (${shown("mod+k")})`}
          onClick={() => {
            onGo();
            openOverlay("palette");
          }}
        >
          <Icon name="keyboard" />
          Commands
        </button>
        <nav aria-label="Pages" className="shell-pages">
          <OutsidersLink onGo={onGo} />
          <Foot href="/memories" icon="memory" onGo={onGo}>
            Memories
          </Foot>
          <Foot href="/insights" icon="insights" onGo={onGo}>
            Insights
          </Foot>
          <Foot href="/settings" icon="settings" onGo={onGo}>
            Settings
          </Foot>
        </nav>
        <Person />
      </div>
    </>
  );
}

/** The continuous conversation stands in no list: it is always at hand. */
function TodayLink({ onGo }: { onGo: () => void }) {
  const [isHere] = useRoute("/continuous/:day?");
  const isUnread = useStore(({ unread, conversations }) =>
    Object.keys(unread).some((id) => conversations[id]?.mode === "continuous"),
  );
  return (
    <div className="shell-today">
      <Link
        href={TODAY}
        className="shell-foot-link"
        aria-current={isHere ? "page" : undefined}
        aria-keyshortcuts={spoken("today")}
        title={`Today (${shown("alt+t")})`}
        onClick={onGo}
      >
        <Icon name="calendar" />
        Today
      </Link>
      {isUnread && <span className="shell-unread" title="Not read yet" />}
    </div>
  );
}

/** With how many of them need whoever is signed in. */
function OutsidersLink({ onGo }: { onGo: () => void }) {
  const [isHere] = useRoute("/external/:id?");
  const many = useNeeding();
  return (
    <Link
      href="/external"
      className="shell-foot-link shell-outsiders"
      aria-current={isHere ? "page" : undefined}
      onClick={onGo}
    >
      <Icon name="people" />
      External communications{" "}
      {many > 0 && (
        <span className="shell-many">
          {many}
          <span className="only-heard"> {many === 1 ? "needs" : "need"} you</span>
        </span>
      )}
    </Link>
  );
}

function Foot(props: { href: string; icon: IconName; onGo: () => void; children: ReactNode }) {
  const { href, icon, onGo, children } = props;
  const [isHere] = useRoute(href);
  return (
    <Link
      href={href}
      className="shell-foot-link"
      aria-current={isHere ? "page" : undefined}
      onClick={onGo}
    >
      <Icon name={icon} />
      {children}
    </Link>
  );
}

function Person() {
  const name = useStore((state) => state.me?.name || state.me?.user);
  if (!name) return null;
  return (
    <p className="shell-person" title="Signed in">
      <Icon name="person" />
      <span className="only-heard">Signed in as </span>
      <span className="shell-person-name">{name}</span>
    </p>
  );
}
