"""Conversations: how they begin, are listed and are changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palaver.conversation.books import Books
from palaver.conversation.records import Change, ConversationPage
from palaver.conversation.seen import as_seen
from palaver.conversation.stored import API, namespaced
from palaver.conversation.streams import (
    CONTINUOUS,
    PREFIX,
    WEB,
    check_channel,
    check_conversation_id,
)
from palaver.errors import BadValue, Conflict, KeyReused, TooLarge
from palaver.index.conversation_fold import take_meta
from palaver.index.port import After, ConversationFilter
from palaver.index.records import ConversationMeta
from palaver.index.rows import ConversationRow, to_conversation
from palaver.ledger import lines, strict
from palaver.ledger.lines import Draft, Line
from palaver.recall import cursor as cursors
from palaver.recall.search import check_limit

MAX_TITLE = 255
MAX_METADATA = 64 * 1024


class Conversations:
    """The conversations of one user."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self.opening = asyncio.Lock()
        """Held while it is decided whether there has to be a first conversation."""

    async def start(
        self,
        channel: str = WEB,
        *,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> ConversationMeta:
        """Begins a conversation. Raises InputError, KeyReused, Erased."""
        begun = self.beginning(channel, title=title, metadata=metadata, key=key)
        appended = (await self._books.ledger.append([begun]))[0]
        if not appended.replayed:
            return meta_of(appended.line)
        if not _same_beginning(begun, appended.line):
            raise KeyReused("That key was used before for another conversation.")
        return await self._books.index.conversation(self._books.user, appended.line.stream)

    def beginning(
        self,
        channel: str,
        *,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        key: str | None = None,
        name: str | None = None,
        model: str | None = None,
        mode: str = "standard",
        pinned_to: Mapping[str, Any] | None = None,
        participants: Sequence[str] = ("user",),
    ) -> Draft:
        """The first line of a new conversation; `name` is its id, if that is decided already, and
        `pinned_to` the place of a channel that goes on in it: until there is a title it is called
        after that. Raises BadValue."""
        called = checked_title(title) if title is not None else (pinned_to or {}).get("name")
        return lines.meta(
            name or lines.new_id(PREFIX),
            user=self._books.user,
            channel=check_channel(channel),
            mode=mode,
            participants=list(participants),
            title=called,
            manuallyNamed=True if title is not None else None,
            metadata=checked_metadata(metadata) if metadata else None,
            model=model,
            channelMeta=dict(pinned_to) if pinned_to else None,
            pinned=True if pinned_to else None,
            key=namespaced(API, key),
        )

    async def get(self, conversation_id: str) -> ConversationMeta:
        """Raises BadId, NotFound, IndexUnavailable."""
        check_conversation_id(conversation_id)
        return await self._books.index.conversation(self._books.user, conversation_id)

    async def page(
        self, wanted: ConversationFilter, *, limit: int, cursor: str | None = None
    ) -> ConversationPage:
        """Newest first. Raises BadValue, BadText, BadCursor, IndexUnavailable."""
        check_limit(limit)
        if wanted.channel is not None:
            check_channel(wanted.channel)
        strict.check_text(wanted.title_contains or "")
        after = (
            After(*cursors.position(cursor, check_conversation_id)) if cursor is not None else None
        )
        found = await self._books.index.conversations(
            self._books.user, wanted, limit=limit + 1, after=after
        )
        shown = found[:limit]
        more = len(found) > limit
        return ConversationPage(
            conversations=shown,
            next_cursor=cursors.encode([shown[-1].updated, shown[-1].id]) if more else None,
        )

    async def latest(self, channel: str) -> ConversationMeta | None:
        """The conversation on a channel in which something was last said, if there is one."""
        wanted = ConversationFilter(channel=channel)
        found = await self._books.index.conversations(self._books.user, wanted, limit=1)
        return found[0] if found else None

    async def current(self) -> ConversationMeta:
        """The latest conversation on the web; a new one if there is none."""
        async with self.opening:
            return await self.latest(WEB) or await self.start()

    async def update(
        self, conversation_id: str, change: Change, version: int | None = None
    ) -> ConversationMeta:
        """Makes the changes in one commit, if it is as it was shown in `version`. Raises
        InputError, NotFound, Conflict, Outdated."""
        check_conversation_id(conversation_id)
        expected = await as_seen(self._books, conversation_id, version)
        meta = await self.get(conversation_id)
        if meta.mode == CONTINUOUS and change.model_fields_set & {"title", "archived"}:
            raise Conflict(
                "The continuous conversation has no title, and is not archived.",
                remedy="Walk through it by its days instead.",
            )
        events = list(_events(meta, change))
        if change.pinned and not meta.pinned:
            events += [_event(other, "unpinned") for other in await self._pinned_beside(meta)]
        if events:
            await self._books.ledger.append(events, expected=expected)
        return await self._books.index.conversation(self._books.user, conversation_id)

    async def _pinned_beside(self, meta: ConversationMeta) -> list[ConversationMeta]:
        """The other conversation that is pinned to the same place, if there is one."""
        place = meta.channel_meta.get("id")
        if not isinstance(place, str):
            return []
        found = await self._books.index.pinned(self._books.user, meta.channel, place)
        return [found] if found else []


def checked_title(title: str) -> str:
    """A title given by hand, on one line. Raises BadText, BadValue."""
    line = " ".join(strict.check_text(title).split())
    if not 1 <= len(line) <= MAX_TITLE:
        raise BadValue(f"A title has 1 to {MAX_TITLE} characters.")
    return line


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody keeps with a conversation. Raises BadText, BadValue, TooLarge."""
    return checked_object("metadata", metadata, MAX_METADATA)


def checked_object(name: str, given: Mapping[str, Any], most: int) -> dict[str, Any]:
    """What a program gives, at most so many bytes of it. Raises BadText, BadValue, TooLarge."""
    kept = dict(given)
    strict.check_value(kept)
    if len(strict.dumps(kept)) > most:
        raise TooLarge(
            f"{name} is larger than {most // 1024} KiB.",
            remedy="Keep large things elsewhere, and their address here.",
        )
    return kept


def _events(meta: ConversationMeta, change: Change) -> Iterator[Draft]:
    """What has to be written so that the conversation is as `change` says."""
    given = {name: getattr(change, name) for name in change.model_fields_set}
    for name in given.keys() - {"model"}:
        if given[name] is None:
            raise BadValue(f"{name} cannot be null.", remedy=f"Leave {name} out, or give a value.")
    if (title := given.get("title")) is not None:
        title = checked_title(title)
        if title != meta.title or not meta.manually_named:
            yield _event(meta, "title_assigned", title=title, by="user")
    if "metadata" in given and given["metadata"] != meta.metadata:
        yield _event(meta, "meta_update", metadata=checked_metadata(given["metadata"]))
    if "model" in given and given["model"] != meta.model:
        yield _event(meta, "model_changed", model=given["model"])
    if "pinned" in given:
        yield from _pinning(meta, given["pinned"])
    if "archived" in given and given["archived"] != meta.archived:
        yield _event(meta, "archived" if given["archived"] else "unarchived")


def _pinning(meta: ConversationMeta, pinned: bool) -> Iterator[Draft]:
    if meta.channel == WEB:
        raise Conflict(
            "Only the conversation of a channel can be pinned.",
            remedy="Rename a conversation to find it again; pinning joins one to a channel.",
        )
    if pinned != meta.pinned:
        yield _event(meta, "pinned" if pinned else "unpinned")


def _event(meta: ConversationMeta, name: str, **fields: Any) -> Draft:
    return lines.event(meta.id, name, **fields)


def meta_of(line: Line) -> ConversationMeta:
    """The conversation that a meta line begins, without asking the index."""
    row = ConversationRow(line.stream)
    take_meta(row, line.data)
    return to_conversation(row)


def _same_beginning(draft: Draft, line: Line) -> bool:
    names = ("channel", "title", "metadata")
    return all(draft.body.get(name) == line.data.get(name) for name in names)
