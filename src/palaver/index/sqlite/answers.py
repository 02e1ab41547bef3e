"""Answers from the live tables, inside a transaction that the caller has begun."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import NotFound
from palaver.index.port import (
    After,
    ConversationFilter,
    Dependent,
    Hit,
    Hits,
    SearchFilter,
    Where,
)
from palaver.index.records import ConversationMeta, Message, MessagePage
from palaver.index.rows import MessageRow, to_conversation, to_message
from palaver.index.sqlite.database import Database, Row
from palaver.index.sqlite.places import (
    EVERYWHERE,
    bounds,
    place,
    read_conversation,
    read_message,
    seq_of,
)
from palaver.index.sqlite.statements import QUERIES

_MOST_COUNTED = 10_000
_AT_THE_TOP = After("~", "~")
"""Sorts after every time and every id."""


class Answers:
    """What the index knows, from one state of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- conversations -----------------------------------------------------------------------

    def conversations(
        self, wanted: ConversationFilter, limit: int, after: After | None
    ) -> list[ConversationMeta]:
        start = after or _AT_THE_TOP
        words = wanted.title_contains
        values = {
            "mode": wanted.mode,
            "archived": int(wanted.archived),
            "channel": wanted.channel,
            "words": words.casefold() if words else None,
            "updated": start.updated,
            "id": start.id,
            "limit": limit,
        }
        rows = self._database.all(QUERIES["list_conversations"], values)
        return [to_conversation(read_conversation(row)) for row in rows]

    def conversation(self, conversation_id: str) -> ConversationMeta:
        row = self._database.one(QUERIES["conversation"], (conversation_id,))
        if row is None:
            raise no_conversation(conversation_id)
        return to_conversation(read_conversation(row))

    def _number(self, conversation_id: str) -> int:
        """The number of a conversation's stream. Raises NotFound."""
        row = self._database.one(QUERIES["number_of_conversation"], (conversation_id,))
        if row is None:
            raise no_conversation(conversation_id)
        return row[0]

    # -- messages ----------------------------------------------------------------------------

    def message(self, conversation_id: str, message_id: str) -> Message:
        row = self._message(conversation_id, self._number(conversation_id), message_id)
        return to_message(conversation_id, row)

    def messages(self, conversation_id: str, where: Where, limit: int) -> MessagePage:
        no = self._number(conversation_id)
        named = where.before or where.after or where.around
        start = self._place(conversation_id, no, named) if named else bounds(no)[1]
        if where.after:
            found, more = self._from(no, start + 1, limit)
        elif where.around:
            found, more = self._around(no, start, limit)
        else:
            found, more = self._before(no, start, limit)
        messages = [to_message(conversation_id, read_message(conversation_id, r)) for r in found]
        return MessagePage(messages=messages, has_more=more)

    def turns(self, conversation_id: str, first: int, last: int) -> list[Message]:
        values = {"stream": self._number(conversation_id), "first": first, "last": last}
        rows = self._database.all(QUERIES["messages_of_turns"], values)
        return [to_message(conversation_id, read_message(conversation_id, row)) for row in rows]

    def find(self, message_ids: Sequence[str]) -> list[Message]:
        found = (self._by_id(message_id) for message_id in dict.fromkeys(message_ids))
        return [
            to_message(stream, row)
            for one in found
            if one
            for stream, row in [one]
            if row.status != "redacted"
        ]

    def reply_to(self, message_id: str) -> Message | None:
        found = self._by_id(message_id)
        if found is None:
            raise no_message(message_id)
        stream, asked = found
        no = self._number(stream)
        values = {
            "stream": no,
            "turn": asked.turn_number,
            "place": place(no, asked.seq),
            "id": message_id,
        }
        row = self._database.one(QUERIES["reply"], values)
        return to_message(stream, read_message(stream, row)) if row else None

    def _by_id(self, message_id: str) -> tuple[str, MessageRow] | None:
        row = self._database.one(QUERIES["messages_by_id"], {"id": message_id})
        return (row[0], read_message(row[0], row[1:])) if row else None

    def _message(self, stream: str, no: int, message_id: str) -> MessageRow:
        first, last = bounds(no)
        values = {"id": message_id, "first": first, "last": last}
        row = self._database.one(QUERIES["message_by_id"], values)
        if row is None:
            raise no_message(message_id)
        return read_message(stream, row)

    def _place(self, stream: str, no: int, message_id: str) -> int:
        return place(no, self._message(stream, no, message_id).seq)

    def _before(self, no: int, end: int, limit: int) -> tuple[list[Row], bool]:
        values = {"first": bounds(no)[0], "place": end, "limit": limit + 1}
        rows = self._database.all(QUERIES["messages_before"], values)
        return rows[:limit][::-1], len(rows) > limit

    def _from(self, no: int, start: int, limit: int) -> tuple[list[Row], bool]:
        values = {"place": start, "last": bounds(no)[1], "limit": limit + 1}
        rows = self._database.all(QUERIES["messages_from"], values)
        return rows[:limit], len(rows) > limit

    def _around(self, no: int, middle: int, limit: int) -> tuple[list[Row], bool]:
        before, earlier = self._before(no, middle, limit // 2)
        after, later = self._from(no, middle, limit - limit // 2)
        return before + after, earlier or later

    # -- full text ---------------------------------------------------------------------------

    def waiting(self) -> int:
        """How many messages are not in the full text yet."""
        ((count,),) = self._database.all(QUERIES["waiting"])
        return count

    def search(self, words: Sequence[str], wanted: SearchFilter, limit: int) -> Hits:
        query = fts_query(words)
        if not query:
            return Hits([], 0)
        values: dict[str, str | int | None] = {"query": query, "limit": limit}
        names = ("search", "count_found")
        if wanted != SearchFilter():
            names = ("search_some", "count_some")
            values |= self._scope(wanted)
        rows = self._database.all(QUERIES[names[0]], values)
        counting = {**values, "bound": _MOST_COUNTED}
        ((total,),) = self._database.all(QUERIES[names[1]], counting)
        hits = [Hit(to_message(r[1], read_message(r[1], r[2:])), -r[0]) for r in rows]
        return Hits(hits, total)

    def _scope(self, wanted: SearchFilter) -> dict[str, str | int | None]:
        first, last = EVERYWHERE
        if wanted.conversation_id is not None:
            first, last = bounds(self._number(wanted.conversation_id))
        return {
            "first": first,
            "last": last,
            "channel": wanted.channel,
            "since": wanted.since,
            "until": wanted.until,
        }

    def dependents(self, message_ids: Sequence[str]) -> list[Dependent]:
        found: dict[tuple[str, int], Dependent] = {}
        for message_id in dict.fromkeys(message_ids):
            for stream, where, own in self._database.all(QUERIES["dependents"], {"id": message_id}):
                found[stream, where] = Dependent(stream, seq_of(where), own)
        return [found[key] for key in sorted(found)]


def fts_query(words: Sequence[str]) -> str:
    """Any of the words: in quotes, nothing in a word means anything to the engine."""
    plain = (word.replace("\0", " ").replace('"', '""') for word in words)
    return " OR ".join(f'"{word}"' for word in plain if word.strip())


def no_conversation(conversation_id: str) -> NotFound:
    return NotFound(f"There is no conversation {conversation_id}.")


def no_message(message_id: str) -> NotFound:
    return NotFound(f"There is no message {message_id}.")
