"""Reading: what the owner said in a conversation goes to the extractor, and what it finds to the
gate.

Only messages whose author is the owner are read: not those of the assistant, of tools, of other
people, and not what was recalled. How far a conversation was read is noted in it, so that it is
read once, however often somebody looks whether that is due. Whoever is interrupted before that is
noted reads it again, and the gate finds that everything is known.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from itertools import pairwise

from palaver.errors import BadId, NotFound
from palaver.index.records import Message
from palaver.index.rows import HIDDEN, UNSEEN
from palaver.index.summary_fold import EXTRACTED
from palaver.index.values import OFFLINE
from palaver.ledger import lines
from palaver.ledger.lines import STREAM_NAME, Draft
from palaver.memory.extracting import Extracting
from palaver.memory.gate import Gate, Offer, Outcome
from palaver.memory.keeping import Keeping
from palaver.memory.port import Saying
from palaver.memory.records import Extraction
from palaver.times import Clock, iso

_STREAM = re.compile(STREAM_NAME)
_TURNS_AT_ONCE = 100
_OFFERS_AT_ONCE = 50
_NEWEST = 3
"""In so many of the last turns it is looked for what is to be remembered at once: replies may come
faster than anybody looks."""


class Reading:
    """Reads the conversations of one user for what is worth remembering."""

    def __init__(
        self,
        keeping: Keeping,
        gate: Gate,
        extracting: Extracting,
        *,
        every: int,
        clock: Clock,
    ) -> None:
        """`every` so many turns a conversation is read on."""
        self._extracting = extracting
        self._keeping = keeping
        self._gate = gate
        self._every = every
        self._clock = clock

    async def source(self, message_id: str, conversation_id: str | None) -> Message:
        """The message a memory comes from. Raises NotFound."""
        found = await self._keeping.index.find(self._keeping.user, [message_id])
        gone = not found or found[0].status in UNSEEN
        if gone or conversation_id not in (None, found[0].conversation_id):
            raise NotFound(f"There is no message {message_id}.")
        return found[0]

    async def asked(self, message: Message) -> str:
        """What the assistant said right before a message of the owner."""
        turn = message.turn_number
        sayings = await self._sayings(message.conversation_id, turn, turn)
        return next((one.asked for one in sayings if one.message_id == message.id), "")

    async def extract(self, conversation_id: str, *, dry_run: bool = False) -> Extraction:
        """Reads all of a conversation. Raises BadId, NotFound, IndexUnavailable, StorageFailed."""
        if not _STREAM.fullmatch(conversation_id):
            raise BadId(f"{conversation_id[:80]!r} is not the id of a conversation.")
        index, user = self._keeping.index, self._keeping.user
        conversation = await index.conversation(user, conversation_id)
        sayings = await self._sayings(conversation_id, 1, conversation.turn_count)
        offers, by = await self._read(conversation_id, sayings)
        if dry_run:
            return (await self._decided(offers, by)).told()
        learned = await self._learned(offers, by)
        await self._note(conversation_id, conversation.turn_count, by, sayings)
        return learned

    async def _learned(self, offers: Sequence[Offer], by: str) -> Extraction:
        """Decides and stores, some at a time: each sees what was learned before it."""
        learned = Extraction(by=by)
        for start in range(0, len(offers), _OFFERS_AT_ONCE):
            outcome = await self._decided(offers[start : start + _OFFERS_AT_ONCE], by)
            await self._gate.store(outcome)
            learned = learned.joined(outcome.told())
        return learned

    async def at_once(self, conversation_id: str) -> Extraction | None:
        """Takes what the owner has just asked to have remembered; never asks a model.

        Raises NotFound, IndexUnavailable, StorageFailed.
        """
        last, read = await self._standing(conversation_id)
        first = max(read + 1, last - _NEWEST + 1)
        sayings = await self._sayings(conversation_id, first, last) if first <= last else []
        found = await self._extracting.offline(sayings)
        wishes = [one for one in found.candidates if one.explicit]
        if not wishes:
            return None
        said = {one.message_id: one.said for one in sayings}
        offers = [Offer(one, conversation_id, said[one.message_id], OFFLINE) for one in wishes]
        outcome = await self._decided(offers, OFFLINE)
        await self._gate.store(outcome)
        return outcome.told()

    async def unread(self, conversation_id: str, turn: int) -> list[Draft]:
        """The note that a turn is to be read again; none, if it was not read yet. Raises
        IndexUnavailable."""
        if await self._through(conversation_id) < turn:
            return []
        return [_noted(conversation_id, turn - 1, OFFLINE)]

    async def is_due(self, conversation_id: str) -> bool:
        """Whether so much was said since a conversation was read that it is read on, also while it
        goes on. Raises NotFound, IndexUnavailable."""
        last, read = await self._standing(conversation_id)
        return last - read >= self._every

    async def run_if_due(self, conversation_id: str) -> Extraction | None:
        """Reads on after so many turns, and takes at once what the owner asks to have remembered.

        Raises NotFound, IndexUnavailable, StorageFailed.
        """
        asked = await self.at_once(conversation_id)
        if not await self.is_due(conversation_id):
            return asked
        read = await self.read_on(conversation_id)
        return asked.joined(read) if asked and read else asked or read

    async def read_on(self, conversation_id: str) -> Extraction | None:
        """Reads what was said since it was read last: at the end of a day, or when it is quiet.
        Nothing, if that was nothing, or if somebody else was faster.

        Raises NotFound, IndexUnavailable, StorageFailed.
        """
        last, _ = await self._standing(conversation_id)
        told: Extraction | None = None
        while more := await self._read_some(conversation_id, last):
            told = told.joined(more) if told else more
        return told

    async def _read_some(self, conversation_id: str, last: int) -> Extraction | None:
        """Some turns that were not read yet: of a long history it is noted now and then."""
        read = await self._through(conversation_id)
        if last <= read:
            return None
        until = min(last, read + _TURNS_AT_ONCE)
        sayings = await self._sayings(conversation_id, read + 1, until)
        offers, by = await self._read(conversation_id, sayings)
        if await self._through(conversation_id) > read:
            return None
        learned = await self._learned(offers, by)
        await self._note(conversation_id, until, by, sayings)
        return learned

    async def _standing(self, conversation_id: str) -> tuple[int, int]:
        """The last turn, and the last one that was read."""
        index, user = self._keeping.index, self._keeping.user
        conversation, through = await asyncio.gather(
            index.conversation(user, conversation_id), self._through(conversation_id)
        )
        return conversation.turn_count, through

    async def _through(self, conversation_id: str) -> int:
        noted = await self._keeping.index.summary(self._keeping.user, conversation_id, EXTRACTED)
        return noted.through if noted else 0

    async def _note(self, conversation_id: str, turn: int, by: str, read: Sequence[Saying]) -> None:
        """The conversation was read up to a turn. If the last message that was `read` was taken
        back meanwhile, that is not noted: what was said instead is to be read, too."""
        last = [one.message_id for one in read[-1:]]
        found = await self._keeping.index.find(self._keeping.user, last)
        if not any(one.status in HIDDEN for one in found):
            await self._keeping.ledger.append([_noted(conversation_id, turn, by)])

    async def _read(
        self, conversation_id: str, sayings: Sequence[Saying]
    ) -> tuple[list[Offer], str]:
        """What is found in some messages, and by whom; nothing is decided yet."""
        extracted = await self._extracting.best(conversation_id, sayings)
        said = {one.message_id: one.said for one in sayings}
        texts = {one.message_id: one.text for one in sayings}
        offers = [
            Offer(one, conversation_id, said[one.message_id], extracted.by)
            for one in extracted.candidates
            if one.quote in texts.get(one.message_id, "")
        ]
        return offers, extracted.by

    async def _decided(self, offers: Sequence[Offer], by: str) -> Outcome:
        outcome = await self._gate.decide(offers, iso(self._clock()))
        outcome.by = by
        return outcome

    async def _sayings(self, conversation_id: str, first: int, last: int) -> list[Saying]:
        index, user = self._keeping.index, self._keeping.user
        found: list[Message] = []
        for start in range(max(first - 1, 1), last + 1, _TURNS_AT_ONCE):
            end = min(start + _TURNS_AT_ONCE - 1, last)
            found += await index.turns(user, conversation_id, start, end)
        shown = [one for one in found if one.status not in UNSEEN and one.role != "system"]
        before = [None, *shown]
        return [
            Saying(
                one.id,
                conversation_id,
                one.content,
                one.timestamp,
                asked.content if asked is not None and asked.role == "assistant" else "",
            )
            for asked, one in pairwise([*before])
            if one is not None and _is_own(one) and one.turn_number >= first
        ]


def _noted(conversation_id: str, turn: int, by: str) -> Draft:
    return lines.event(conversation_id, EXTRACTED, text="", through=turn, by=by)


def _is_own(message: Message) -> bool:
    return message.role == "user" and message.author is not None and message.author.kind == "owner"
