// One conversation of the list: a link, and what can be done with it.
import { memo, useId, useRef } from "react";
import { Link } from "wouter";
import type { ConversationMeta } from "../api/shapes";
import { archive, pin } from "../state/actions";
import { beginRenaming, useTyping } from "../state/renaming";
import { useStore } from "../state/store";
import { ChannelIcon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { Time } from "../ui/Time";
import { titleOf } from "../ui/titles";
import { isChannel } from "./groups";
import { RenameBox } from "./RenameBox";

interface Props {
  conversation: ConversationMeta;
  isCurrent: boolean;
  onErase: (id: string) => void;
  onGo: () => void;
}

export const ConversationRow = memo(function ConversationRow(props: Props) {
  const { conversation, isCurrent, onErase, onGo } = props;
  const { id, channel, updated } = conversation;
  const isUnread = useStore((state) => state.unread[id] === true);
  const typing = useTyping(id, "list");
  const row = useRef<HTMLLIElement>(null);
  const rest = useId();
  const title = titleOf(conversation);
  if (typing) {
    const focusLink = () => requestAnimationFrame(() => row.current?.querySelector("a")?.focus());
    return (
      <li ref={row} className="shell-row">
        <RenameBox id={id} typing={typing} title={title} onDone={focusLink} />
      </li>
    );
  }
  return (
    <li ref={row} className={`shell-row${isCurrent ? " current" : ""}`}>
      <ChannelIcon channel={channel} />
      <div className="shell-row-words">
        <Link
          href={`/c/${id}`}
          className="shell-row-link"
          aria-describedby={rest}
          aria-current={isCurrent ? "page" : undefined}
          onClick={onGo}
        >
          <span className="shell-row-title" dir="auto">
            {title}
          </span>
        </Link>
        <span id={rest} className="shell-row-time">
          <Time at={updated} as="ago" />
          {isUnread && <span className="only-heard">, not read yet</span>}
        </span>
      </div>
      {isUnread && <span className="shell-unread" title="Not read yet" />}
      <Menu
        // An untitled one is called as the button that begins one.
        label={conversation.title ? `Actions for ${title}` : "Actions"}
        className="button quiet icon shell-row-menu"
        items={actionsFor(conversation, () => onErase(id))}
      />
    </li>
  );
});

function actionsFor(conversation: ConversationMeta, erase: () => void): MenuItem[] {
  const { id, pinned, archived } = conversation;
  const pinning: MenuItem = pinned
    ? { label: "Unpin", icon: "pin", run: () => pin(id, false) }
    : { label: "Pin", icon: "pin", run: () => pin(id, true) };
  return [
    { label: "Rename", icon: "rename", run: () => beginRenaming(id, "list") },
    ...(isChannel(conversation) ? [pinning] : []),
    archived
      ? { label: "Unarchive", icon: "unarchive", run: () => archive(id, false) }
      : { label: "Archive", icon: "archive", run: () => archive(id, true) },
    { label: "Delete", icon: "trash", danger: true, run: erase },
  ];
}
