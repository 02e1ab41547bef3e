// What stands above the conversation while the list is not there: the way to it, to a new
// conversation, and to the search.
import { Link, useRoute } from "wouter";
import { Icon } from "../ui/Icon";
import { spoken } from "../ui/keys";
import { useIsNarrow } from "../ui/useMedia";
import { openDrawer, showList, useLayout } from "./layout";
import { SearchBox } from "./SearchBox";
import { useStartNew } from "./startNew";

export function TopBar() {
  const isNarrow = useIsNarrow();
  const { isListShown, isDrawerOpen } = useLayout();
  const [isSearch] = useRoute("/search");
  const startNew = useStartNew();
  if (!isNarrow && isListShown) return null;
  return (
    <div className="shell-top">
      <button
        type="button"
        className="button quiet icon"
        aria-label="Show the list"
        aria-keyshortcuts={spoken("sidebar")}
        title="Show the list"
        aria-expanded={isDrawerOpen}
        onClick={() => (isNarrow ? openDrawer(true) : showList(true))}
      >
        <Icon name="menu" />
      </button>
      {isSearch ? (
        // While the drawer is open, its own box is the one.
        !isDrawerOpen && <SearchBox focused />
      ) : (
        <>
          <Link href="/" className="shell-name">
            Palaver
          </Link>
          <Link href="/search" className="button quiet icon" aria-label="Search" title="Search">
            <Icon name="search" />
          </Link>
        </>
      )}
      <button
        type="button"
        className="button quiet icon"
        aria-label="New conversation"
        aria-keyshortcuts={spoken("new")}
        title="New conversation"
        onClick={startNew}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
