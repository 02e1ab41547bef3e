"""Editing the summary of a day by hand: it tells as far as the one whose place it takes."""

from __future__ import annotations

from palaver.conversation.books import Books
from palaver.conversation.day_lines import as_field, carried_sources
from palaver.conversation.days import Days
from palaver.errors import BadValue, Conflict, Outdated, TooLarge
from palaver.index.day_fold import SUMMARY
from palaver.index.port import Day
from palaver.index.records import ConversationMeta
from palaver.ledger import lines
from palaver.ledger.lines import Draft
from palaver.ledger.strict import check_text

MOST = 16 * 1024
"""In bytes of UTF-8."""
_ATTEMPTS = 20
_LAST = 20
"""In so many of the last turns there is a message."""


class DayEditing:
    """Writes what the owner says of their days."""

    def __init__(self, books: Books, days: Days) -> None:
        self._books = books
        self._days = days

    async def edit(self, conversation_id: str, label: str, markdown: str) -> None:
        """Raises BadValue, BadText, TooLarge, NotFound, Conflict, StorageFailed,
        IndexUnavailable."""
        text = checked_summary(markdown)
        for _ in range(_ATTEMPTS):
            view = await self._books.index.view(self._books.user, conversation_id, limit=1)
            day = await self._days.find(view.conversation, label)
            edited = await self._edited(view.conversation, day, text)
            try:  # whatever comes meanwhile may be another summary, which tells of more
                await self._books.ledger.append([edited], expected={conversation_id: view.version})
            except Outdated:
                continue
            return
        raise Conflict(
            "Something was said again and again while that was stored.", remedy="Try again."
        )

    async def _edited(self, conversation: ConversationMeta, day: Day, text: str) -> Draft:
        covers, through = await self._reach(conversation, day)
        return lines.event(
            conversation.id,
            SUMMARY,
            day=day.label,
            summary=text,
            covers=covers,
            through=through,
            sources=[as_field(one) for one in carried_sources(day.summary, text)],
            by="user",
            edited=True,
            reason="hand",
        )

    async def _reach(self, conversation: ConversationMeta, day: Day) -> tuple[int, int]:
        """The last line and the last turn of which it tells: where there was no summary, all that
        was said."""
        if day.summary is not None:
            return day.summary.covers, day.summary.through
        last = conversation.turn_count if day.last_turn is None else day.last_turn
        user, index = self._books.user, self._books.index
        found = await index.turns(user, conversation.id, max(day.first_turn, last - _LAST), last)
        return (found[-1].seq if found else -1), last


def checked_summary(markdown: str) -> str:
    """A summary written by hand. Raises BadText, BadValue, TooLarge."""
    text = check_text(markdown).replace("\r\n", "\n").strip()
    if not text:
        raise BadValue("There is no word in that summary.", remedy="Write at least one.")
    if len(text.encode()) > MOST:
        raise TooLarge(
            f"A summary has at most {MOST // 1024} KiB.", remedy="Say it in fewer words."
        )
    return text
