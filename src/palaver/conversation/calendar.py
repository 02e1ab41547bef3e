"""The calendar: which day it is for the user, and how a day of the continuous conversation begins.

A message of the user whose date is later than the label of the newest day opens a day, in the same
commit. An earlier date never does, so labels only go forward: whoever travels west stays in the day
that has begun, and a clock that goes back changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from palaver.conversation.books import Books
from palaver.conversation.preferences import Preferences
from palaver.conversation.streams import Streams
from palaver.errors import IndexUnavailable, KeyReused
from palaver.index.day_fold import OPENED
from palaver.ledger import lines
from palaver.ledger.lines import Draft
from palaver.ledger.port import Appended
from palaver.times import Clock, iso

_DAY = timedelta(days=1)
_BEFORE_ALL = 0
"""The first day has whatever is said before the user says something: that stands in no turn."""


class Calendar:
    """Opens the days of one user."""

    def __init__(
        self, books: Books, streams: Streams, preferences: Preferences, clock: Clock, night: time
    ) -> None:
        """`night` is when a day is over, in the zone of the user."""
        self._books = books
        self._streams = streams
        self._preferences = preferences
        self._clock = clock
        self._night = night

    def today(self) -> str:
        """The date of now, in the zone of the user as it was last looked at."""
        return self._clock().astimezone(self._preferences.zone()).date().isoformat()

    async def append(self, conversation_id: str, drafts: Sequence[Draft]) -> list[Appended]:
        """Writes drafts to one conversation in one commit, with the day that they open, if they do.
        Raises what the ledger raises."""
        ledger, opening = self._books.ledger, await self._opening(conversation_id, drafts)
        if opening is None:
            return await ledger.append(drafts)
        drafts = [replace(draft, debounced=False) for draft in drafts]  # a day begins with a turn
        try:
            appended = await ledger.append([opening, *drafts])
        except KeyReused:  # somebody was faster, in another zone; or the key of a message is meant
            return await ledger.append(drafts)
        return [one for one in appended if one.line.event != OPENED]

    async def _opening(self, conversation_id: str, drafts: Sequence[Draft]) -> Draft | None:
        """The event that opens a day; None when none begins."""
        if not await self._streams.is_continuous(conversation_id):
            return None
        await self._preferences.look()
        label, last = self.today(), await self._last(conversation_id)
        begins = any(map(_begins_turn, drafts)) or (last is None and any(map(_says, drafts)))
        if not begins or label <= (last or ""):
            return None
        opening = lines.event(
            conversation_id,
            OPENED,
            day=label,
            daySegmentId=lines.day_id(conversation_id, label),
            zone=self._preferences.zone_name(),
            until=iso(self._until(label)),
            turnNumber=_BEFORE_ALL if last is None else None,
            key=f"{OPENED}:{conversation_id}:{label}",
        )
        return Draft(opening.stream, opening.body, numbered=True)

    def _until(self, label: str) -> datetime:
        """When a day is over: in the night that follows it."""
        next_day = date.fromisoformat(label) + _DAY
        return datetime.combine(next_day, self._night, self._preferences.zone())

    async def _last(self, conversation_id: str) -> str | None:
        """The label of the newest day."""
        try:
            return (await self._books.index.standing(self._books.user, conversation_id)).day
        except IndexUnavailable:
            read = await self._books.ledger.read(conversation_id)
            labels = (line.data.get("day") for line in read if line.event == OPENED)
            return max((label for label in labels if isinstance(label, str)), default=None)


def _says(draft: Draft) -> bool:
    return draft.type == "turn"


def _begins_turn(draft: Draft) -> bool:
    """Whether it is a message of the user that takes the place of no other."""
    return _says(draft) and draft.body["role"] == "user" and "turnNumber" not in draft.body
