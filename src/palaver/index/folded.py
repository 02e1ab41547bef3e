"""A stream folded in memory: answers for one conversation while its rows are not made yet."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import NotFound
from palaver.index.changes import Restate
from palaver.index.channel_rows import to_delivery
from palaver.index.delta import Delta
from palaver.index.port import Owed, Preference, View, Where
from palaver.index.preference_fold import chosen
from palaver.index.projection import Fold
from palaver.index.records import Delivery, Message, MessagePage
from palaver.index.rows import (
    ConversationRow,
    MessageRow,
    to_conversation,
    to_message,
    to_owed,
)
from palaver.ledger.lines import USER_STREAM
from palaver.ledger.port import Lines


def fold_again(source: Lines, stream: str, erased: frozenset[int] = frozenset()) -> Delta:
    """All of a stream, without the lines in `erased`, as if nothing of it were stored."""
    while True:
        delta = Delta(Fold(stream, erased=erased))
        for line in source.lines(stream):
            delta.take(line)
            if delta.restate:
                break
        else:
            return delta
        erased |= delta.restate.erased


def restated(source: Lines, stream: str, erased: frozenset[int]) -> ConversationRow | None:
    """The conversation's row, made again without the lines in `erased`."""
    while True:
        fold = Fold(stream, erased=erased)
        changes = (change for line in source.lines(stream) for change in fold.take(line))
        again = next((change for change in changes if isinstance(change, Restate)), None)
        if again is None:
            return fold.row
        erased |= again.erased


def folded_preferences(source: Lines) -> dict[str, Preference]:
    """What the user has chosen."""
    rows = fold_again(source, USER_STREAM).preferences
    return chosen(rows[seq] for seq in sorted(rows))


def folded_deliveries(
    source: Lines, stream: str, message_ids: Sequence[str]
) -> dict[str, Delivery]:
    """How far those of some lines have come that are sent."""
    rows = fold_again(source, stream).deliveries
    found = [to_delivery(stream, rows[seq]) for seq in sorted(rows, reverse=True)]
    return {one.message_id: one for one in found if one.message_id in message_ids}


class FoldedConversation:
    """The messages of one conversation, in order."""

    def __init__(self, source: Lines, conversation_id: str) -> None:
        """Raises NotFound."""
        delta = fold_again(source, conversation_id)
        if delta.fold.row is None:
            raise NotFound(f"There is no conversation {conversation_id}.")
        self._id = conversation_id
        self._conversation = delta.fold.row
        self._rows = [delta.rows[seq] for seq in sorted(delta.rows)]
        self._size = delta.size

    def standing(self) -> Owed:
        return to_owed(self._conversation)

    def view(self, limit: int) -> View:
        """The conversation with its last messages."""
        return View(to_conversation(self._conversation), self.page(Where(), limit), self._size)

    def message(self, message_id: str) -> Message:
        """Raises NotFound."""
        return to_message(self._id, self._row(message_id))

    def turns(self, first: int, last: int) -> list[Message]:
        """The messages of the turns `first` to `last`."""
        rows = (row for row in self._shown() if first <= row.turn_number <= last)
        return [to_message(self._id, row) for row in rows]

    def page(self, where: Where, limit: int) -> MessagePage:
        """Some messages. Raises NotFound."""
        rows, more = self._page(where, limit)
        return MessagePage(messages=[to_message(self._id, row) for row in rows], has_more=more)

    def _page(self, where: Where, limit: int) -> tuple[Sequence[MessageRow], bool]:
        shown = self._shown()
        if where.first:
            return shown[:limit], len(shown) > limit
        if where.around is not None:
            return _around(shown, self._row(where.around).seq, limit)
        if where.after is not None:
            seq = self._row(where.after).seq
            later = [row for row in shown if row.seq > seq]
            return later[:limit], len(later) > limit
        if where.before is not None:
            seq = self._row(where.before).seq
            shown = [row for row in shown if row.seq < seq]
        return shown[max(len(shown) - limit, 0) :], len(shown) > limit

    def _row(self, message_id: str) -> MessageRow:
        for row in self._rows:
            if row.id == message_id:
                return row
        raise NotFound(f"There is no message {message_id}.")

    def _shown(self) -> list[MessageRow]:
        return [row for row in self._rows if row.status != "superseded"]


def _around(shown: Sequence[MessageRow], seq: int, limit: int) -> tuple[list[MessageRow], bool]:
    before = [row for row in shown if row.seq < seq]
    after = [row for row in shown if row.seq >= seq]
    half = limit // 2
    found = [*before[max(len(before) - half, 0) :], *after[: limit - half]]
    return found, len(found) < len(shown)
