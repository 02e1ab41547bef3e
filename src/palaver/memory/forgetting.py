"""Forgetting: memories go with all that was ever written about them, and do not come back.

What goes is shown first. Salted marks are written before anything is erased, so whoever is
interrupted has at least what is not to be learned again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from palaver.errors import BadValue
from palaver.index.port import EVERY_MEMORY
from palaver.index.records import Memory, Message
from palaver.ledger.lines import USER_STREAM, check_memory_id
from palaver.ledger.port import Erasure
from palaver.ledger.strict import check_text
from palaver.memory.echoes import MOST_HOLDING, Echoes
from palaver.memory.keeping import Keeping
from palaver.memory.listing import every_memory
from palaver.memory.oblivion import About, Oblivion
from palaver.memory.records import ForgetReceipt
from palaver.memory.rescuing import NOTHING, Going, Rescuing
from palaver.memory.reviving import holding, revive, revived
from palaver.text import counted

_AT_ONCE = 1000


class EraseMessages(Protocol):
    """Erases messages for good, with all that stands on them."""

    async def erase(self, messages: Sequence[Message]) -> None:
        """Those that are gone are left out. Raises IndexUnavailable, StorageFailed."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be forgotten: one of these."""

    memory_id: str | None = None
    conversation_id: str | None = None
    about: str | None = None


class Forgetting:
    """Forgets for one user."""

    def __init__(
        self, keeping: Keeping, oblivion: Oblivion, sources: EraseMessages, echoes: Echoes
    ) -> None:
        self._keeping = keeping
        self._oblivion = oblivion
        self._sources = sources
        self._echoes = echoes
        self._rescuing = Rescuing(keeping)

    async def forget(
        self, target: Target, *, everywhere: bool = False, preview: bool = False
    ) -> ForgetReceipt:
        """Raises BadId, BadValue, NotFound, IndexUnavailable, StorageFailed."""
        memories = await self._memories(target)
        if target.about and memories and not preview:
            # Before all else, so that nobody learns it while it is looked for everywhere.
            await self._keeping.write([await self._oblivion.event((), target.about)])
            memories = await self._memories(target)
        said = await self._said(memories)
        along = await self._going_along(memories, said) if everywhere else NOTHING
        back = holding(await revived(self._keeping, [*memories, *along.lost]))
        others = await self._echoes.holding(target.about) if target.about else []
        if not preview:
            await self.carry_out(memories, said, about=target.about, everywhere=everywhere)
            memories += await self._rest_goes(target, memories, everywhere=everywhere)
        messages = len(said) if everywhere else 0
        left = _left(len(said) - messages, len(along.kept))
        known = {one.id for one in said}
        return ForgetReceipt(
            preview=preview,
            memories=[*memories, *along.lost],
            messages=messages,
            erased=_sentences(len(memories), messages, len(along.lost), target.about),
            restored=back,
            remains=[*self._keeping.remains, *left, *_holding(others, known)],
        )

    async def _rest_goes(
        self, target: Target, known: Sequence[Memory], *, everywhere: bool
    ) -> list[Memory]:
        """Forgets what somebody has stored while those that were `known` were forgotten, and gives
        it."""
        gone: list[Memory] = []
        if target.memory_id is not None:
            return gone
        names = {one.id for one in known}
        while more := [one for one in await self._memories(target) if one.id not in names]:
            said = await self._said(more)
            await self.carry_out(more, said, about=target.about, everywhere=everywhere)
            gone += more
            names |= {one.id for one in more}
        return gone

    async def _going_along(self, memories: Sequence[Memory], said: Sequence[Message]) -> Going:
        """What becomes of other memories that stand on the same messages."""
        index, user = self._keeping.index, self._keeping.user
        standing = await index.dependents(user, [one.id for one in said])
        seqs = [one.seq for one in standing if one.stream == USER_STREAM]
        going = await self._rescuing.going(seqs)
        names = {one.id for one in memories}
        return Going(
            [one for one in going.kept if one.id not in names],
            [one for one in going.lost if one.id not in names],
        )

    async def forget_some(self, memory_ids: Sequence[str]) -> Going:
        """Forgets those of some memories that are there, and leaves what was said. Raises
        IndexUnavailable, StorageFailed."""
        memories = await self._keeping.index.some_memories(self._keeping.user, memory_ids)
        back = holding(await revived(self._keeping, memories))
        await self.carry_out(memories, await self._said(memories))
        return Going((), memories, back)

    async def about(self, text: str) -> list[Memory]:
        """Every memory that is about some words, in whatever state. Raises IndexUnavailable."""
        about = About(text)
        every = await every_memory(self._keeping, EVERY_MEMORY)
        return [one for one in every if about.is_in(one.content, one.quote or "")]

    async def carry_out(
        self,
        memories: Sequence[Memory],
        said: Sequence[Message],
        *,
        about: str | None = None,
        everywhere: bool = False,
    ) -> None:
        """Forgets. Whoever is interrupted and asks again finds what is left."""
        if memories:
            await self._keeping.write([await self._oblivion.event(memories, about, said)])
        if everywhere:
            await self._sources.erase(said)
        await revive(self._keeping, memories)
        await self.lines_go([one.id for one in memories])
        if about:
            await self._former_lines_go(About(about))

    async def _memories(self, target: Target) -> list[Memory]:
        index, user = self._keeping.index, self._keeping.user
        if target.memory_id is not None:
            return [await index.memory(user, check_memory_id(target.memory_id))]
        if target.conversation_id is not None:
            await index.conversation(user, target.conversation_id)
            wanted = replace(EVERY_MEMORY, conversation_id=target.conversation_id)
            return await every_memory(self._keeping, wanted)
        if not target.about or not About(check_text(target.about)).words:
            raise BadValue(
                "Say what is to be forgotten: a memory, a conversation, or a word.",
                remedy="Give one of them.",
            )
        return await self.about(target.about)

    async def _said(self, memories: Sequence[Memory]) -> list[Message]:
        """The messages in which it was said: those it came from, and others that say the same."""
        index, user = self._keeping.index, self._keeping.user
        names = list(dict.fromkeys(filter(None, (one.source_message_id for one in memories))))
        found = {one.id: one for one in await index.find(user, names) if one.status != "redacted"}
        found |= {one.id: one for one in await self._echoes.of(memories)}
        return list(found.values())

    async def _former_lines_go(self, about: About) -> None:
        """What memories said before they were reworded goes too."""
        index, user = self._keeping.index, self._keeping.user
        every = await every_memory(self._keeping, EVERY_MEMORY)
        names = [one.id for one in every if one.edited]
        for start in range(0, len(names), _AT_ONCE):
            found = await index.memory_lines(user, names[start : start + _AT_ONCE])
            gone = [
                line.seq
                for line in found
                if about.is_in(line.memory.content, line.memory.quote or "")
            ]
            await self._keeping.erase(gone)

    async def _lists_go(self, memory_ids: Sequence[str]) -> None:
        """What was shown of memories, to be confirmed, goes with them."""
        index, user = self._keeping.index, self._keeping.user
        gone: dict[str, list[int]] = defaultdict(list)
        for one in await index.dependents(user, memory_ids):
            if one.id is None and one.stream != USER_STREAM:
                gone[one.stream].append(one.seq)
        if gone:
            await self._keeping.ledger.erase(Erasure(gone))

    async def lines_go(self, memory_ids: Sequence[str]) -> None:
        """Every line about some memories goes, also one that is written meanwhile. Raises
        IndexUnavailable, StorageFailed."""
        index, user = self._keeping.index, self._keeping.user
        await self._lists_go(memory_ids)  # while the memories are there, somebody can ask again
        gone: set[int] = set()
        while found := {line.seq for line in await index.memory_lines(user, memory_ids)} - gone:
            await self._keeping.erase(sorted(found))
            gone |= found
        await self._lists_go(memory_ids)


def _sentences(memories: int, messages: int, along: int, about: str | None) -> list[str]:
    if not memories:
        return []
    them = "it" if memories == 1 else "them"
    found = [f"{counted(memories, 'memory', 'memories')}, with everything written about {them}."]
    if messages:
        said = counted(messages, "message")
        found.append(f"{said} in which it was said, and what quotes these.")
    if along:
        found.append(f"{counted(along, 'memory', 'memories')} more that came from these messages.")
    if about:
        found.append("Whatever else you say about it is not learned, unless you ask for it.")
    return found


def _left(messages: int, kept: int) -> list[str]:
    found: list[str] = []
    if messages:
        stay = "stays" if messages == 1 else "stay"
        found.append(f"{counted(messages, 'message')} in which it was said {stay}.")
    if kept:
        others = counted(kept, "other memory that is", "other memories that are")
        stay = "stays" if kept == 1 else "stay"
        found.append(f"{others} pinned or worded by you {stay}, without where it came from.")
    return found


def _holding(messages: Sequence[Message], known: Collection[str]) -> list[str]:
    """That other messages hold the words, of which nothing is remembered."""
    others = [one for one in messages if one.id not in known]
    if not others:
        return []
    least = "At least " if len(messages) == MOST_HOLDING else ""
    hold = counted(len(others), "other message that holds", "other messages that hold")
    return [f"{least}{hold} the words: /forget in a conversation lists and erases these."]
