"""Recording what was made of a conversation: its events, each of them written once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from palaver.digest.deriving import Derived, Deriving
from palaver.digest.points import as_field, source_fields, text_of
from palaver.digest.port import MOST_TITLE, Naming
from palaver.digest.stories import ABBREVIATION, Telling
from palaver.digest.telling import Told
from palaver.errors import DigestUnusable
from palaver.index.port import Index
from palaver.index.records import ConversationMeta, Json, SummarySource

_TITLE = "title_assigned"
_UPDATE = "meta_update"
_MOST_ALIKE = 100
"""So many conversations of the same name are told apart by a number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What was made of a conversation, and for whom it stands in."""

    telling: Telling
    told: Told
    stands_in_for: str | None = None

    @property
    def by(self) -> str:
        return self.told.made.by

    @property
    def key(self) -> str:
        """The same for whoever tells the same messages; another one when one of them is gone."""
        ids = " ".join(self.told.read)
        return f"{self.by}:{blake2b(ids.encode(), digest_size=6).hexdigest()}"

    def derived(self, name: str, key: str, fields: Json) -> Derived:
        made = {**fields, "by": self.by, "standsInFor": self.stands_in_for}
        key = f"{key}:{self.key}"
        return Derived(self.telling.conversation_id, name, made, key, self.told.read)


class Recording:
    """Writes to one user's conversations."""

    def __init__(self, deriving: Deriving, index: Index, user: str) -> None:
        self._deriving = deriving
        self._naming = asyncio.Lock()
        self._index = index
        self._user = user

    async def abbreviation(self, entry: Entry) -> None:
        """Stores the abbreviation, unless somebody has. Raises StorageError, IndexUnavailable,
        DigestUnusable when what it stands on has changed meanwhile."""
        owed, points = entry.telling.owed, entry.told.points
        fields: Json = {
            "text": text_of(points),
            "through": owed.conversation.turn_count,
            "covers": owed.heard_seq,
            "sources": source_fields(points),
        }

        async def is_done() -> bool:
            now = await self._index.standing(self._user, owed.conversation.id)
            better = now.abbreviation_stands_in and entry.stands_in_for is None
            return now.abbreviated_seq >= owed.heard_seq and not better

        async def holds() -> bool:
            return await self._still_told(entry.telling)

        derived = entry.derived(ABBREVIATION, str(owed.heard_seq), fields)
        stored = await self._deriving.write(derived, is_done=is_done, holds=holds)
        if not (stored or await is_done()):
            raise DigestUnusable("The conversation was changed while it was told.")

    async def _still_told(self, telling: Telling) -> bool:
        """Whether the digest before still holds, if it was carried on."""
        if telling.before is None or not telling.carries_on:
            return True
        asked = (self._user, telling.conversation_id, ABBREVIATION)
        return await self._index.summary(*asked, seq=telling.before.seq) is not None

    async def title(self, entry: Entry, naming: Naming) -> None:
        """Names the conversation, unless the user has, or somebody else. Raises StorageError,
        IndexUnavailable."""
        conversation = entry.telling.owed.conversation

        async def is_done() -> bool:
            now = await self._index.standing(self._user, conversation.id)
            better = now.title_stands_in and entry.stands_in_for is None
            return now.named_turn >= conversation.turn_count and not better

        async def holds() -> bool:
            return not await self._is_named_by_user(conversation.id)

        async with self._naming:  # or two that are named at once would get the same name
            if await holds():
                chosen, title = await self._chosen(naming.titles, conversation)
                fields: Json = {
                    "title": _with_place(conversation, title),
                    "topics": list(naming.topics),
                    "turn": conversation.turn_count,
                    "sources": _fields(_of_title(naming.sources, chosen)),
                }
                derived = entry.derived(_TITLE, str(conversation.turn_count), fields)
                await self._deriving.write(derived, is_done=is_done, holds=holds)

    async def topics(self, entry: Entry, naming: Naming) -> None:
        """Stores the topics if they are others. Raises StorageError, IndexUnavailable."""
        conversation = entry.telling.owed.conversation
        if list(naming.topics) == conversation.topics:
            return

        async def always() -> bool:
            return True

        fields: Json = {"topics": list(naming.topics), "sources": _fields(naming.sources)}
        derived = entry.derived(_UPDATE, f"topics:{entry.telling.owed.heard_seq}", fields)
        await self._deriving.write(derived, is_done=always, holds=always)

    async def _chosen(
        self, titles: Sequence[str], conversation: ConversationMeta
    ) -> tuple[int, str]:
        """The best title that no other conversation has, and which it is; the best one with a
        number, if all are taken."""
        own = (conversation.title or "").casefold()
        numbered = [f"{titles[0]} ({number})" for number in range(2, _MOST_ALIKE)]
        for offered in (titles, numbered):
            taken = await self._index.titles(self._user, offered)
            for place, one in enumerate(offered):
                if (one not in taken or one.casefold() == own) and len(one) <= MOST_TITLE:
                    return place if offered is titles else 0, one
        return 0, titles[0]

    async def _is_named_by_user(self, conversation_id: str) -> bool:
        return (await self._index.conversation(self._user, conversation_id)).manually_named


def _with_place(conversation: ConversationMeta, title: str) -> str:
    """The title of a conversation that a channel goes on in: a contact or group and its topic, or
    the subject of a thread."""
    kind, name = (conversation.channel_meta.get(one) for one in ("kind", "name"))
    if not isinstance(name, str) or not name:
        return title
    return (name if kind == "thread" else f"{name} — {title}")[:MOST_TITLE]


def _of_title(sources: Sequence[SummarySource], chosen: int) -> list[SummarySource]:
    """What the chosen title and the topics stand on, without what only the other titles do."""
    return [one for one in sources if one.kind != "title" or one.point == chosen]


def _fields(sources: Sequence[SummarySource]) -> list[Json]:
    return [as_field(source) for source in sources]
