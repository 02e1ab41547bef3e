"""Days: the continuous conversation, a page for each."""

from __future__ import annotations

from palaver.conversation.books import Books
from palaver.conversation.calendar import Calendar
from palaver.conversation.day_lines import summary_lines
from palaver.conversation.day_loops import Loops
from palaver.conversation.day_records import DayEntry, DayPage, DayView
from palaver.conversation.preferences import Preferences
from palaver.conversation.stored import with_given_key
from palaver.errors import BadCursor, BadValue, NotFound
from palaver.index.day_fold import is_label
from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.recall import cursor as cursors
from palaver.recall.search import check_limit
from palaver.times import parse_day

SHOWN = 200
"""So many messages of a day are shown with it, the last ones."""


class Days:
    """Reads the days of one user."""

    def __init__(
        self, books: Books, calendar: Calendar, preferences: Preferences, loops: Loops
    ) -> None:
        self._books = books
        self._calendar = calendar
        self._preferences = preferences
        self._loops = loops

    async def today(self, conversation: ConversationMeta | None) -> DayView:
        """The day to which the next message belongs. Raises NotFound, IndexUnavailable."""
        today = await self._today(conversation)
        return await self._view(conversation, today, today)

    async def view(self, conversation: ConversationMeta | None, label: str) -> DayView:
        """Raises BadValue, NotFound, IndexUnavailable."""
        return await self._view(conversation, check_label(label), await self._today(conversation))

    async def page(
        self, conversation: ConversationMeta | None, *, limit: int, cursor: str | None
    ) -> DayPage:
        """The newest first. Raises BadValue, BadCursor, NotFound, IndexUnavailable."""
        check_limit(limit)
        before = _before(cursor) if cursor is not None else None
        if conversation is None:
            return DayPage(days=[])
        found = await self._books.index.days(
            self._books.user, conversation.id, before=before, limit=limit + 1
        )
        shown, more = found[:limit], len(found) > limit
        next_cursor = cursors.encode([shown[-1].label]) if more else None
        return DayPage(days=[_entry(one) for one in shown], next_cursor=next_cursor)

    async def find(self, conversation: ConversationMeta, label: str) -> Day:
        """Raises BadValue, NotFound, IndexUnavailable."""
        day = await self._day(conversation, check_label(label))
        if day is None:
            raise no_day(label)
        return day

    async def _day(self, conversation: ConversationMeta | None, label: str) -> Day | None:
        if conversation is None:
            return None
        return await self._books.index.day(self._books.user, conversation.id, label)

    async def _today(self, conversation: ConversationMeta | None) -> str:
        """Labels only go forward: whoever travels west stays in the day that has begun."""
        await self._preferences.look()
        today = self._calendar.today()
        if conversation is None:
            return today
        standing = await self._books.index.standing(self._books.user, conversation.id)
        return max(today, standing.day or "")

    async def _view(self, conversation: ConversationMeta | None, label: str, today: str) -> DayView:
        day = await self._day(conversation, label)
        if day is None and label != today:
            raise no_day(label)
        shown, more = await self._messages(conversation, day)
        summary = day.summary if day else None
        is_past = day is not None and label < today
        return DayView(
            day=label,
            day_label=label,
            day_segment_id=day.id if day else None,
            conversation_id=conversation.id if conversation else None,
            timezone=(day.zone if day and is_past else "") or self._preferences.zone_name(),
            messages=shown,
            has_more=more,
            message_count=day.messages if day else 0,
            summary_markdown=summary.text if summary else "",
            summary_lines=summary_lines(summary) if summary else [],
            summary_covers_until=await self._covers(conversation, day, shown),
            summary_by=summary.by if summary else None,
            summary_edited=summary is not None and summary.by_hand,
            summary_due=summary is None and await self._is_due(conversation, day),
            updated_at=summary.made if summary else None,
            closed=day is not None and day.closed,
            loops=await self._loops.of(conversation, day) if conversation else [],
            previous_day=await self._previous(conversation, label),
            next_day=await self._next(conversation, day, today),
            today=today,
        )

    async def _messages(
        self, conversation: ConversationMeta | None, day: Day | None
    ) -> tuple[list[Message], bool]:
        """The last messages of a day, and whether there are more. Each turn has one at least."""
        if conversation is None or day is None:
            return [], False
        last = conversation.turn_count if day.last_turn is None else day.last_turn
        first = max(day.first_turn, last - SHOWN + 1)
        found = await self._books.index.turns(self._books.user, conversation.id, first, last)
        shown = [with_given_key(one) for one in found[-SHOWN:]]
        return shown, first > day.first_turn or len(found) > SHOWN

    async def _covers(
        self, conversation: ConversationMeta | None, day: Day | None, shown: list[Message]
    ) -> str | None:
        """The last message of which the summary tells."""
        if conversation is None or day is None or day.summary is None:
            return None
        covers, index, user = day.summary.covers, self._books.index, self._books.user
        near = shown
        if not shown or shown[0].seq > covers >= 0:
            near = (await index.near(user, conversation.id, [covers], limit=2))[0]
        told = [one for one in near if one.seq <= covers and one.turn_number >= day.first_turn]
        return told[-1].id if told else None

    async def _is_due(self, conversation: ConversationMeta | None, day: Day | None) -> bool:
        """Whether a day without a summary had one, and there is something to tell."""
        if conversation is None or day is None or not day.messages:
            return False
        if day.last_turn is not None or day.closed:
            return day.closed
        return (await self._books.index.standing(self._books.user, conversation.id)).is_stale

    async def _previous(self, conversation: ConversationMeta | None, label: str) -> str | None:
        if conversation is None:
            return None
        index, user = self._books.index, self._books.user
        found = await index.days(user, conversation.id, before=label, limit=1)
        return found[0].label if found else None

    async def _next(
        self, conversation: ConversationMeta | None, day: Day | None, today: str
    ) -> str | None:
        if conversation is None or day is None or day.label == today:
            return None
        if day.last_turn is None:
            return today
        index, user = self._books.index, self._books.user
        found = await index.day_of_turn(user, conversation.id, day.last_turn + 1)
        return found.label if found else None


def check_label(label: str) -> str:
    """`label`, if it is a day. Raises BadValue."""
    day = parse_day(label).isoformat()
    if day != label:
        raise BadValue(f"{label[:80]!r} is not a day.", remedy="Write days as 2026-02-14.")
    return label


def no_day(label: str) -> NotFound:
    return NotFound(
        f"Nothing was said on {label} in the continuous conversation.",
        remedy="Look through the list of its days.",
    )


def _entry(day: Day) -> DayEntry:
    return DayEntry(
        day_label=day.label,
        day_segment_id=day.id,
        message_count=day.messages,
        summary_markdown=day.summary.text if day.summary else "",
        updated_at=day.summary.made if day.summary else None,
        closed=day.closed,
    )


def _before(cursor: str) -> str:
    match cursors.decode(cursor):
        case [label] if is_label(label):
            return label
        case _:
            raise BadCursor
