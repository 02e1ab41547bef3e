"""Answers from the live tables, inside a transaction that the caller has begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

import numpy as np
import orjson

from palaver.errors import NotFound
from palaver.index.connection import Connection, Row, Statements, Values
from palaver.index.evidence import Evidence, Integers
from palaver.index.fulltext.book import Book, Volume
from palaver.index.fulltext.candidates import Candidates, Meaning
from palaver.index.fulltext.library import Eligible, Library, Mask, Pieces
from palaver.index.fulltext.shelf import Shelf
from palaver.index.pieces import SPOKEN
from palaver.index.port import (
    Activity,
    After,
    ConversationFilter,
    Dependent,
    Owed,
    OwedFilter,
    Place,
    Preference,
    Question,
    Reach,
    SearchFilter,
    Shown,
    Span,
    Storage,
    Unfolded,
    View,
    Where,
)
from palaver.index.preference_fold import chosen
from palaver.index.records import ConversationMeta, Message, MessagePage, StoredSummary
from palaver.index.rows import (
    ConversationRow,
    MessageRow,
    to_conversation,
    to_message,
    to_owed,
    to_summary,
)
from palaver.index.stored.days import Days
from palaver.index.stored.external_search import ExternalSearch
from palaver.index.stored.externals import StoredExternals
from palaver.index.stored.memories import StoredMemories
from palaver.index.stored.outbox import StoredOutbox
from palaver.index.stored.owed import read_owed, read_titles
from palaver.index.stored.places import (
    bounds,
    place,
    read_conversation,
    read_message,
    read_preference,
    read_summary,
    seq_of,
)
from palaver.index.stored.searched_days import Searched, searched
from palaver.index.stored.states import KeptStates
from palaver.index.values import milliseconds
from palaver.ledger.lines import USER_STREAM

_AT_THE_TOP = After("~", "~")
"""Sorts after every time and every id."""
_MOST_PINNED = 50
_LAST_TURNS = 50
"""So many turns of a conversation are looked at for messages without a reply."""


class Answers:
    """What the index knows, from one state of it."""

    def __init__(self, database: Connection, sql: Statements, shelf: Shelf) -> None:
        self._database = database
        self._sql = sql
        self._shelf = shelf
        self._known: dict[str, int] = {}
        """The numbers of conversations that were looked up."""

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
        rows = self._database.all(self._sql["list_conversations"], values)
        return [to_conversation(read_conversation(row)) for row in rows]

    def pinned(self, channel: str, place_id: str) -> ConversationMeta | None:
        values = {"channel": channel, "place": place_id}
        row = self._database.one(self._sql["pinned_conversation"], values)
        return to_conversation(read_conversation(row)) if row else None

    def pinned_with(self, channel: str, party: str) -> list[ConversationMeta]:
        values = {"channel": channel, "party": party, "limit": _MOST_PINNED}
        rows = self._database.all(self._sql["pinned_with"], values)
        return [to_conversation(read_conversation(row)) for row in rows]

    def conversation(self, conversation_id: str) -> ConversationMeta:
        return to_conversation(self._row(conversation_id))

    def view(self, conversation_id: str, limit: int) -> View:
        conversation = self.conversation(conversation_id)
        row = self._database.one(self._sql["stream"], (conversation_id,))
        if row is None:
            raise no_conversation(conversation_id)
        found, more = self._before(row[0], bounds(row[0])[1], limit)
        page = MessagePage(messages=_read(conversation_id, found), has_more=more)
        return View(conversation, page, row[1])

    def standing(self, conversation_id: str) -> Owed:
        return to_owed(self._row(conversation_id))

    def owed(self, wanted: OwedFilter, after: After | None, limit: int) -> list[Owed]:
        return read_owed(self._database, self._sql, wanted, after, limit)

    def titles(self, wanted: Sequence[str]) -> set[str]:
        return read_titles(self._database, self._sql, wanted)

    def _row(self, conversation_id: str) -> ConversationRow:
        row = self._database.one(self._sql["conversation"], (conversation_id,))
        if row is None:
            raise no_conversation(conversation_id)
        return read_conversation(row)

    def _number(self, conversation_id: str) -> int:
        """The number of a conversation's stream; it is looked up once. Raises NotFound."""
        if conversation_id not in self._known:
            row = self._database.one(self._sql["number_of_conversation"], (conversation_id,))
            if row is None:
                raise no_conversation(conversation_id)
            self._known[conversation_id] = row[0]
        return self._known[conversation_id]

    # -- messages ----------------------------------------------------------------------------

    def message(self, conversation_id: str, message_id: str) -> Message:
        row = self._message(conversation_id, self._number(conversation_id), message_id)
        return to_message(conversation_id, row)

    def messages(self, conversation_id: str, where: Where, limit: int) -> MessagePage:
        no = self._number(conversation_id)
        named = where.before or where.after or where.around
        start = self._place(conversation_id, no, named) if named else bounds(no)[1]
        if where.first:
            found, more = self._from(no, bounds(no)[0], limit)
        elif where.after:
            found, more = self._from(no, start + 1, limit)
        elif where.around:
            found, more = self._around(no, start, limit)
        else:
            found, more = self._before(no, start, limit)
        return MessagePage(messages=_read(conversation_id, found), has_more=more)

    def turns(self, conversation_id: str, first: int, last: int) -> list[Message]:
        values = {"stream": self._number(conversation_id), "first": first, "last": last}
        return _read(conversation_id, self._database.all(self._sql["messages_of_turns"], values))

    def near(self, conversation_id: str, lines: Sequence[int], limit: int) -> list[list[Message]]:
        no = self._number(conversation_id)
        found = (self._around(no, place(no, line), limit) for line in lines)
        return [_read(conversation_id, rows) for rows, _ in found]

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
        row = self._database.one(self._sql["reply"], values)
        return to_message(stream, read_message(stream, row)) if row else None

    def unanswered(self, since: str) -> list[Message]:
        values = {"since": since, "turns": _LAST_TURNS}
        return list(_messages(self._database.all(self._sql["unanswered"], values)).values())

    def _by_id(self, message_id: str) -> tuple[str, MessageRow] | None:
        row = self._database.one(self._sql["messages_by_id"], {"id": message_id})
        return (row[0], read_message(row[0], row[1:])) if row else None

    def _message(self, stream: str, no: int, message_id: str) -> MessageRow:
        first, last = bounds(no)
        values = {"id": message_id, "first": first, "last": last}
        row = self._database.one(self._sql["message_by_id"], values)
        if row is None:
            raise no_message(message_id)
        return read_message(stream, row)

    def _place(self, stream: str, no: int, message_id: str) -> int:
        return place(no, self._message(stream, no, message_id).seq)

    def _before(self, no: int, end: int, limit: int) -> tuple[list[Row], bool]:
        values = {"first": bounds(no)[0], "place": end, "limit": limit + 1}
        rows = self._database.all(self._sql["messages_before"], values)
        return rows[:limit][::-1], len(rows) > limit

    def _from(self, no: int, start: int, limit: int) -> tuple[list[Row], bool]:
        values = {"place": start, "last": bounds(no)[1], "limit": limit + 1}
        rows = self._database.all(self._sql["messages_from"], values)
        return rows[:limit], len(rows) > limit

    def _around(self, no: int, middle: int, limit: int) -> tuple[list[Row], bool]:
        before, earlier = self._before(no, middle, limit // 2)
        after, later = self._from(no, middle, limit - limit // 2)
        return before + after, earlier or later

    # -- finding -----------------------------------------------------------------------------

    def languages(self, unread: int | None) -> list[str]:
        spoken: Counter[int] = Counter()
        for book in self._shelf.books(self._database, unread):
            spoken += book.languages
        return [SPOKEN[code] for code, _ in spoken.most_common() if code]

    def evidence(
        self, question: Question, wanted: SearchFilter, meaning: Meaning | None
    ) -> Evidence:
        searched = self._searched(wanted) if wanted.days else None
        eligible = self._eligible(wanted, searched)
        terms = {part for term in question.terms for form in term.forms for part in form.parts}
        volumes = self._volumes(sorted(terms), question.reach, wanted)
        if searched is not None:
            volumes += self._shelf.pages.volumes(self._database, searched.pages)
        found = Candidates(Library(volumes, eligible), question, meaning).evidence(self._names)
        return replace(found, days=searched.marks) if searched is not None else found

    def _searched(self, wanted: SearchFilter) -> Searched:
        """The days that are looked through. Raises NotFound."""
        if wanted.conversation_id is None:
            raise NotFound("Only the days of one conversation can be searched.")
        return searched(*self.days(wanted.conversation_id).marks(), wanted)

    def _volumes(self, terms: Sequence[str], reach: Reach, wanted: SearchFilter) -> list[Volume]:
        if reach == Reach():
            return self._shelf.volumes(self._database, terms)
        stream = self._number(wanted.conversation_id) if wanted.conversation_id else None
        return self._shelf.newest_volumes(self._database, terms, reach, stream)

    def _eligible(self, wanted: SearchFilter, days: Searched | None = None) -> Eligible | None:
        """Which pieces of a book may be found; None when all of them may."""
        numbers: list[int] | None = None
        if wanted.conversation_id is not None:
            numbers = [self._number(wanted.conversation_id)]
        if wanted.channel is not None:
            rows = self._database.all(self._sql["streams_of_channel"], (wanted.channel,))
            channel = [no for (no,) in rows]
            numbers = channel if numbers is None else [no for no in numbers if no in channel]
        since = milliseconds(wanted.since) if wanted.since else None
        until = milliseconds(wanted.until) if wanted.until else None
        turns = wanted.turns

        if numbers is None and since is None and until is None and turns is None:
            return None

        def eligible(book: Book, pieces: Pieces | slice) -> Mask:
            masks = [
                *([_of_streams(book.round[pieces], numbers)] if numbers is not None else ()),
                *([book.time[pieces] >= since] if since is not None else ()),
                # An abbreviation tells of everything before it was made, also of what was earlier.
                *([book.said[pieces]] if since is not None else ()),
                *([book.time[pieces] < until] if until is not None else ()),
                *([_of_turns(book.round[pieces], turns)] if turns is not None else ()),
            ]
            may = np.logical_and.reduce(masks)
            return may if days is None else days.eligible(book, pieces, may)

        return eligible

    def _names(self, numbers: Integers) -> dict[int, str]:
        rows = self._database.all(*self._listed("names_of_streams", numbers.tolist()))
        return dict(rows)

    def at(self, places: Sequence[Place]) -> list[Message]:
        found = _messages(self._database.all(*self._listed("messages_of_lines", _named(places))))
        return [found[place] for place in places if place in found]

    def shown(
        self, best: Sequence[Place], places: Sequence[Place], conversation_ids: Sequence[str]
    ) -> Shown:
        messages, ids, conversations = self._database.all_of(
            self._listed("messages_of_lines", _named(best)),
            self._listed("ids_of_lines", _named(places)),
            self._listed("some_conversations", list(conversation_ids)),
        )
        return Shown(
            messages=_messages(messages),
            ids={(stream, seq_of(place)): message_id for stream, place, message_id in ids},
            conversations=_conversations(conversations),
        )

    def described(self, conversation_ids: Sequence[str]) -> dict[str, ConversationMeta]:
        asked = self._listed("some_conversations", list(conversation_ids))
        return _conversations(self._database.all(*asked))

    def _listed(self, statement: str, wanted: Sequence[object]) -> tuple[str, Values]:
        """A statement about all that is wanted, at once."""
        return self._sql[statement], (orjson.dumps(wanted).decode(),)

    # -- what is derived ---------------------------------------------------------------------

    def unfolded(self, conversation_id: str, version: int, limit: int) -> Unfolded:
        states = KeptStates(self._database, self._sql)
        return states.unfolded(self._number(conversation_id), conversation_id, version, limit)

    def summary(self, conversation_id: str, kind: str, seq: int | None) -> StoredSummary | None:
        no = self._number(conversation_id)
        first, last = bounds(no) if seq is None else (place(no, seq), place(no, seq))
        within = {"first": first, "last": last, "kind": kind}
        row = self._database.one(self._sql["newest_summary"], within)
        return to_summary(read_summary(conversation_id, row)) if row else None

    def summaries(self, conversation_id: str, kinds: Sequence[str]) -> list[StoredSummary]:
        first, last = bounds(self._number(conversation_id))
        sql = self._sql["newest_summary"]
        asked = [(sql, {"first": first, "last": last, "kind": kind}) for kind in kinds]
        found = (row for rows in self._database.all_of(*asked) for row in rows)
        return [to_summary(read_summary(conversation_id, row)) for row in found]

    def versions(self, conversation_id: str, kind: str) -> list[StoredSummary]:
        first, last = bounds(self._number(conversation_id))
        within = {"first": first, "last": last, "kind": kind}
        found = self._database.all(self._sql["summaries_of_kind"], within)
        return [to_summary(read_summary(conversation_id, row)) for row in found]

    def telling(self, conversation_ids: Sequence[str]) -> dict[str, list[StoredSummary]]:
        number, told = self._sql["number_of_conversation"], self._sql["found_summaries"]
        streams = self._all_of((number, (name,)) for name in conversation_ids)
        known = {
            name: bounds(rows[0][0])
            for name, rows in zip(conversation_ids, streams, strict=True)
            if rows
        }
        found = self._all_of((told, {"first": a, "last": b}) for a, b in known.values())
        return {
            name: [to_summary(read_summary(name, row)) for row in rows]
            for name, rows in zip(known, found, strict=True)
        }

    def _all_of(self, asked: Iterable[tuple[str, Values]]) -> list[list[Row]]:
        each = list(asked)
        return self._database.all_of(*each) if each else []

    def days(self, conversation_id: str) -> Days:
        """The days of a continuous conversation. Raises NotFound."""
        number = self._number(conversation_id)
        return Days(self._database, self._sql, conversation_id, number)

    def activity(self, days: Sequence[Span]) -> list[Activity]:
        rows = self._database.all(*self._listed("activity", [asdict(one) for one in days]))
        return [
            Activity(day, channel, model, int(messages), turns, int(read), int(written), cost)
            for day, channel, model, messages, turns, read, written, cost in rows
        ]

    def storage(self) -> Storage:
        streams, conversations = self._database.all_of(
            (self._sql["stored_bytes"], ()), (self._sql["count_conversations"], ())
        )
        ledger, index = streams[0]
        return Storage(conversations[0][0], int(ledger), index)

    def preferences(self) -> dict[str, Preference]:
        rows = self._database.all(self._sql["preferences"])
        return chosen(read_preference(USER_STREAM, row) for row in rows)

    def length(self, stream: str) -> int:
        """How long a stream is, as far as it was seen."""
        row = self._database.one(self._sql["stream"], (stream,))
        return row[1] if row else 0

    def memories(self) -> StoredMemories:
        """What is remembered."""
        return StoredMemories(self._database, self._sql, self._shelf.memories)

    def outbox(self) -> StoredOutbox:
        """What is sent to channels."""
        return StoredOutbox(self._database, self._sql)

    def externals(self) -> StoredExternals:
        """Exchanges with outsiders."""
        return StoredExternals(self._database, self._sql)

    def external_search(self) -> ExternalSearch:
        """What is said in them, for whoever asks for just that."""
        return ExternalSearch(self._database, self._sql)

    def dependents(self, message_ids: Sequence[str]) -> list[Dependent]:
        found: dict[tuple[str, int], Dependent] = {}
        for message_id in dict.fromkeys(message_ids):
            for stream, where, own in self._database.all(
                self._sql["dependents"], {"id": message_id}
            ):
                found[stream, where] = Dependent(stream, seq_of(where), own)
        return [found[key] for key in sorted(found)]


def _read(conversation_id: str, rows: Iterable[Row]) -> list[Message]:
    return [to_message(conversation_id, read_message(conversation_id, row)) for row in rows]


def _named(places: Sequence[Place]) -> list[dict[str, str | int]]:
    return [{"name": stream, "seq": seq} for stream, seq in places]


def _messages(rows: Iterable[Row]) -> dict[Place, Message]:
    return {
        (stream, seq_of(values[0])): to_message(stream, read_message(stream, tuple(values)))
        for stream, *values in rows
    }


def _conversations(rows: Iterable[Row]) -> dict[str, ConversationMeta]:
    return {row[0]: to_conversation(read_conversation(row)) for row in rows}


def _of_turns(rounds: Integers, turns: tuple[int, int]) -> Mask:
    """Which of some rounds are among the turns; an abbreviation is of none."""
    turn = rounds & 0xFFFFFFFF
    return (turn >= turns[0]) & (turn <= turns[1])


def _of_streams(rounds: Integers, numbers: Sequence[int]) -> Mask:
    """Which rounds belong to streams, by number."""
    streams = rounds >> 32
    return streams == numbers[0] if len(numbers) == 1 else np.isin(streams, numbers)


def no_conversation(conversation_id: str) -> NotFound:
    return NotFound(f"There is no conversation {conversation_id}.")


def no_message(message_id: str) -> NotFound:
    return NotFound(f"There is no message {message_id}.")
