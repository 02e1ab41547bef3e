"""One set of tables: the live one, or the one that a rebuild fills.

Everything here happens inside a transaction that the caller has begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import orjson

from palaver.index.channel_rows import DeliveryRow, ExternalMessageRow, ExternalRow
from palaver.index.connection import Connection, Row, Statements, Values
from palaver.index.delta import Delta
from palaver.index.evidence import Speaker
from palaver.index.external_fold import PREFIX as EXTERNAL
from palaver.index.faults import Unusable
from palaver.index.folded import restated
from palaver.index.fulltext.outside import worded
from palaver.index.fulltext.words import FullText, said_by, told_by
from palaver.index.pieces import Said, keys_of
from palaver.index.projection import Fold
from palaver.index.rows import ConversationRow, MemoryRow, MessageRow, SummaryRow
from palaver.index.stored.places import (
    bounds,
    place,
    read_conversation,
    read_delivery,
    read_external,
    read_external_message,
    read_memory,
    read_message,
    read_summary,
    stored_conversation,
    stored_day,
    stored_delivery,
    stored_external,
    stored_external_message,
    stored_memory,
    stored_message,
    stored_preference,
    stored_summary,
)
from palaver.index.summary_fold import ABBREVIATION, day_of
from palaver.ledger.lines import USER_STREAM, Line
from palaver.ledger.port import Lines

_AT_ONCE = 2000
"""How many lines are gathered before they are stored."""


@dataclass(slots=True)
class StreamRecord:
    """What has been applied of a stream."""

    name: str
    no: int
    size: int = 0
    lines: int = 0
    state: str = "whole"


def _stream(values: Row) -> StreamRecord:
    """Raises Unusable when the row is damaged."""
    if [type(value) for value in values] != [str, int, int, int, str]:
        raise Unusable("The row of a stream is damaged in the index.")
    return StreamRecord(*values)


class Tables:
    """Where rows are written."""

    def __init__(self, database: Connection, sql: Statements, source: Lines) -> None:
        self.sql = sql
        self.database = database
        self.words = FullText(database, self.sql)
        self.erased = False
        """Whether words went that were stored before."""
        self.unsaid: set[bytes] = set()
        """The keys of pieces that went; others may say the same."""
        self.on_said: Callable[[Row, MessageRow], None] = lambda stored, row: None
        """Called for each message whose words wait now, with the values that are stored of it."""
        self._source = source

    def records(self) -> dict[str, StreamRecord]:
        """What has been applied of every stream."""
        rows = self.database.all(self.sql["streams"])
        return {row[0]: _stream(row) for row in rows}

    def record(self, stream: str) -> StreamRecord | None:
        row = self.database.one(self.sql["stream"], (stream,))
        return _stream((stream, *row)) if row else None

    def conversation(self, stream: str) -> ConversationRow | None:
        row = self.database.one(self.sql["conversation"], (stream,))
        return read_conversation(row) if row else None

    def external(self, stream: str) -> ExternalRow | None:
        row = self.database.one(self.sql["external"], (stream,))
        return read_external(row) if row else None

    def messages(self, record: StreamRecord) -> Iterator[Row]:
        """The stored messages of a stream."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["messages_of_stream"], {"first": first, "last": last})

    def summaries(self, record: StreamRecord) -> Iterator[Row]:
        """The stored summaries of a stream."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["summaries_of_stream"], {"first": first, "last": last})

    def preferences(self, record: StreamRecord) -> Iterator[Row]:
        """The stored preferences of a stream."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["preferences_of_stream"], {"first": first, "last": last})

    def memories(self, record: StreamRecord) -> Iterator[Row]:
        """The stored lines of a stream that tell of memories."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["memories_of_stream"], {"first": first, "last": last})

    def deliveries(self, record: StreamRecord) -> Iterator[Row]:
        """What of a stream is to be sent, as it is stored."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["deliveries_of_stream"], {"first": first, "last": last})

    def received(self, record: StreamRecord) -> Iterator[Row]:
        """The stored messages of an exchange."""
        first, last = bounds(record.no)
        within = {"first": first, "last": last}
        return self.database.each(self.sql["external_messages_of_stream"], within)

    def days(self, record: StreamRecord) -> Iterator[Row]:
        """What marks the days of a stream, as it is stored."""
        first, last = bounds(record.no)
        return self.database.each(self.sql["days_of_stream"], {"first": first, "last": last})

    def told(self, record: StreamRecord) -> list[SummaryRow]:
        """By what a stream is found besides its messages: its last abbreviation, and the last
        summary of each of its days."""
        first, last = bounds(record.no)
        rows = self.database.all(self.sql["found_summaries"], {"first": first, "last": last})
        return [read_summary(record.name, row) for row in rows]

    def put_conversation(self, row: ConversationRow) -> None:
        self.database.send(self.sql["put_conversation"], stored_conversation(row))

    def put_external(self, row: ExternalRow) -> None:
        self.database.send(self.sql["put_external"], stored_external(row))

    # -- lines -------------------------------------------------------------------------------

    def begin(self, stream: str) -> StreamRecord:
        """The record of a stream; a new one if there is none."""
        found = self.record(stream)
        if found is not None:
            return found
        row = self.database.one(self.sql["add_stream"], (stream,))
        return StreamRecord(stream, row[0] if row else 0)

    def fold(self, record: StreamRecord) -> Fold:
        """The fold of a stream as its lines so far left it."""
        if not record.lines:
            return Fold(record.name)
        if record.name.startswith(EXTERNAL):
            return Fold(record.name, external=self.external(record.name))
        return Fold(record.name, self.conversation(record.name))

    def take(self, record: StreamRecord, fold: Fold, lines: Iterable[Line]) -> Fold:
        """Stores what lines change; they follow on those before. Returns the fold after them."""
        ahead = iter(lines)
        while again := self._fill(record, fold, ahead):
            self.clear(record)
            fold, ahead = Fold(record.name, erased=again), self._source.lines(record.name)
        return fold

    def _fill(
        self, record: StreamRecord, fold: Fold, lines: Iterator[Line]
    ) -> frozenset[int] | None:
        """Stores what lines change; returns what is erased if all has to be folded again."""
        while part := list(islice(lines, _AT_ONCE)):
            delta = Delta(fold, _Stored(self, record) if record.lines else None)
            for line in part:
                if line.seq >= record.lines:
                    delta.take(line)
            if delta.restate and delta.restate.whole:
                return delta.restate.erased
            if delta.restate:
                fold.row = restated(self._source, record.name, delta.restate.erased)
            if delta.lines:
                self._store(record, delta)
        return None

    def _store(self, record: StreamRecord, delta: Delta) -> None:
        self._store_messages(record, delta)
        self._store_keys(record, delta)
        self._store_sources(record, delta)
        self._store_summaries(record, delta)
        self._store_days(record, delta)
        self._store_preferences(record, delta)
        self._store_memories(record, delta)
        self._store_deliveries(record, delta)
        self._store_received(record, delta)
        if delta.fold.row:
            self.put_conversation(delta.fold.row)
        if delta.fold.external:
            self.put_external(delta.fold.external)
        for stream in delta.dropped:
            self.drop(stream)
        record.size, record.lines = delta.size, delta.lines
        self.database.send(self.sql["set_stream"], (record.size, record.lines, record.no))
        self.erased = self.erased or delta.erases

    def _store_messages(self, record: StreamRecord, delta: Delta) -> None:
        if delta.replaced:
            self._forget_states(record, min(delta.replaced))
        gone = [row for row in delta.replaced.values() if row.searchable]
        self._take_out([said_by(record.no, row) for row in gone])
        rows = [stored_message(record.no, record.name, row) for row in delta.rows.values()]
        if rows:
            self.database.many(self.sql["put_message" if delta.replaced else "add_message"], rows)
        said = [one for one in zip(rows, delta.rows.values(), strict=True) if one[1].searchable]
        self.words.wait([stored[0] for stored, _ in said])
        for stored, row in said:
            self.on_said(stored, row)

    def _take_out(self, gone: Sequence[Said]) -> None:
        """The words of messages go, and are not meant any more."""
        if gone:
            self.words.remove(gone)
            self.unsaid.update(key for one in gone for key in keys_of(one.speaker, one.content))

    def _store_keys(self, record: StreamRecord, delta: Delta) -> None:
        if "remember_key" not in self.sql:  # the ledger has a table of them
            return
        many, sql = self.database.many, self.sql
        used = [(bytes.fromhex(d), record.no, o) for d, o in delta.keys.items() if o is not None]
        erased = [(bytes.fromhex(d),) for d, o in delta.keys.items() if o is None]
        if used:
            many(sql["remember_key"], used)
        if erased:
            many(sql["forget_key"], erased)

    def _store_sources(self, record: StreamRecord, delta: Delta) -> None:
        many, sql = self.database.many, self.sql
        if delta.uncited:
            many(sql["delete_source"], [(place(record.no, seq),) for seq in delta.uncited])
        if delta.cited:
            cited = [(place(record.no, seq), message, q) for seq, message, q in delta.cited]
            many(sql["add_source"], cited)

    def _store_summaries(self, record: StreamRecord, delta: Delta) -> None:
        if delta.uncited or delta.changed or delta.summaries:
            kinds = self._kinds(record, delta)
            before = self._newest(record, kinds) if record.lines else []
            self._change_summaries(record, delta)
            self._tell(record, before, self._newest(record, kinds))

    def _kinds(self, record: StreamRecord, delta: Delta) -> set[str]:
        """By what kinds of summaries the stream may be found otherwise from now on. There is one
        for each of its days: those that stay as they are, are not looked at."""
        kinds = {row.kind for row in delta.summaries.values()}
        if record.lines and (delta.uncited or delta.changed):
            first, last = bounds(record.no)
            places = orjson.dumps([place(record.no, seq) for seq in delta.uncited]).decode()
            ids = orjson.dumps(sorted(delta.changed)).decode()
            going = {"places": places, "ids": ids, "first": first, "last": last}
            kinds |= {kind for (kind,) in self.database.all(self.sql["kinds_going"], going)}
        return {kind for kind in kinds if kind == ABBREVIATION or day_of(kind)}

    def _newest(self, record: StreamRecord, kinds: Iterable[str]) -> list[SummaryRow]:
        first, last = bounds(record.no)
        sql = self.sql["newest_summary"]
        asked: list[tuple[str, Values]] = [
            (sql, {"first": first, "last": last, "kind": kind}) for kind in sorted(kinds)
        ]
        answers = self.database.all_of(*asked) if asked else []
        return [read_summary(record.name, row) for rows in answers for row in rows]

    def _store_days(self, record: StreamRecord, delta: Delta) -> None:
        if delta.uncited:
            gone = [(place(record.no, seq),) for seq in delta.uncited]
            self.database.many(self.sql["delete_day"], gone)
        for row in delta.days.values():
            values = stored_day(record.no, record.name, row)
            self.database.send(self.sql["add_day"], values)

    def _store_preferences(self, record: StreamRecord, delta: Delta) -> None:
        if delta.uncited:
            gone = [(place(record.no, seq),) for seq in delta.uncited]
            self.database.many(self.sql["delete_preference"], gone)
        for row in delta.preferences.values():
            values = stored_preference(record.no, record.name, row)
            self.database.send(self.sql["add_preference"], values)

    def _store_memories(self, record: StreamRecord, delta: Delta) -> None:
        many, sql = self.database.many, self.sql
        if delta.uncited:
            places = [place(record.no, seq) for seq in delta.uncited]
            many(sql["delete_use"], [(where,) for where in places])
            if record.name == USER_STREAM:
                self._unlearn(record, places)
        for row in delta.memories.values():
            self.put_memory(record, row)
        if delta.uses:
            many(sql["add_use"], [(place(record.no, one.seq), *one[1:]) for one in delta.uses])
        if delta.oblivion:
            marks = [(place(record.no, one.seq), *one[1:]) for one in delta.oblivion]
            many(sql["add_oblivion"], marks)

    def _store_deliveries(self, record: StreamRecord, delta: Delta) -> None:
        if delta.uncited:
            gone = [(place(record.no, seq),) for seq in delta.uncited]
            self.database.many(self.sql["delete_delivery"], gone)
        for row in delta.deliveries.values():
            self.put_delivery(record, row)

    def put_delivery(self, record: StreamRecord, row: DeliveryRow) -> None:
        """How far something has come that is sent."""
        values = stored_delivery(record.no, record.name, row)
        self.database.send(self.sql["put_delivery"], values)

    def _store_received(self, record: StreamRecord, delta: Delta) -> None:
        before = [(place(record.no, seq),) for seq in delta.received if seq < record.lines]
        if before:
            for statement in ("delete_external_word", "delete_external_message"):
                self.database.many(self.sql[statement], before)
        for row in delta.received.values():
            if row is not None:
                self.add_external_message(record, row)

    def add_external_message(self, record: StreamRecord, row: ExternalMessageRow) -> None:
        """A message of an exchange, and the words by which it is found."""
        language, words = worded(place(record.no, row.seq), row.content)
        values = (*stored_external_message(record.no, record.name, row), language)
        self.database.send(self.sql["add_external_message"], values)
        if words:
            self.database.many(self.sql["add_external_word"], words)

    def _unlearn(self, record: StreamRecord, places: Sequence[int]) -> None:
        """Lines about memories are erased, and what they mean is not meant any more."""
        listed = (orjson.dumps(places).decode(),)
        rows = self.database.all(self.sql["memories_in"], listed)
        gone = [read_memory(record.name, row) for row in rows]
        self.database.many(self.sql["delete_oblivion"], [(where,) for where in places])
        for row in gone:
            self.unsaid.update(keys_of(Speaker.MEMORY, row.content))
        if gone:
            self.erased = True
            self.database.many(self.sql["delete_memory"], [(where,) for where in places])
            names = orjson.dumps(sorted({row.id for row in gone})).decode()
            self.database.send(self.sql["settle_memories"], (names,))

    def put_memory(self, record: StreamRecord, row: MemoryRow) -> None:
        """What is remembered of something from now on."""
        before = {"id": row.id, "place": place(record.no, row.seq)}
        self.database.send(self.sql["outdate_memory"], before)
        values = stored_memory(record.no, record.name, row)
        self.database.send(self.sql["add_memory"], values)

    def _tell(
        self, record: StreamRecord, before: Sequence[SummaryRow], now: Sequence[SummaryRow]
    ) -> None:
        """What a conversation is found by are the last of its summaries, and no others."""
        gone = [one for one in before if one not in now]
        self._take_out([told_by(record.no, one) for one in gone])
        self.words.wait([place(record.no, one.seq) for one in now if one not in before])

    def _change_summaries(self, record: StreamRecord, delta: Delta) -> None:
        if delta.uncited:
            gone = [(place(record.no, seq),) for seq in delta.uncited]
            self.database.many(self.sql["delete_summary"], gone)
        first, last = bounds(record.no)
        for message_id in sorted(delta.changed) if record.lines else ():
            within = {"id": message_id, "first": first, "last": last}
            self.database.send(self.sql["outdate_summaries"], within)
        for row in delta.summaries.values():
            values = stored_summary(record.no, record.name, row)
            self.database.send(self.sql["add_summary"], values)

    def _forget_states(self, record: StreamRecord, seq: int) -> None:
        """A message has changed: the states that cover it go."""
        within = {"first": place(record.no, seq), "last": bounds(record.no)[1]}
        self.database.send(self.sql["forget_states"], within)

    # -- going -------------------------------------------------------------------------------

    def drop(self, stream: str) -> None:
        """Everything of a stream goes but its name, which is never taken up again."""
        record = self.begin(stream)
        self.clear(record)
        self.database.send(self.sql["delete_stream_marks"], (record.no,))

    def clear(self, record: StreamRecord) -> None:
        """Everything of a stream goes."""
        first, last = bounds(record.no)
        within = {"first": first, "last": last}
        self._take_out(self._said(record))
        self.database.send(self.sql["delete_messages"], within)
        self.database.send(self.sql["delete_sources"], within)
        self.database.send(self.sql["delete_summaries"], within)
        self.database.send(self.sql["delete_days"], within)
        self.database.send(self.sql["delete_preferences"], within)
        for statement in ("delete_memories", "delete_uses", "delete_oblivions"):
            self.database.send(self.sql[statement], within)
        self.database.send(self.sql["delete_deliveries"], within)
        self.database.send(self.sql["delete_external"], {"id": record.name})
        self.database.send(self.sql["delete_external_words"], within)
        self.database.send(self.sql["delete_external_messages"], within)
        self.database.send(self.sql["forget_states"], within)
        self.database.send(self.sql["delete_conversation"], {"id": record.name})
        self.database.send(self.sql["set_stream"], (0, 0, record.no))
        self.erased = self.erased or record.lines > 0
        record.size = record.lines = 0

    def _said(self, record: StreamRecord) -> list[Said]:
        """All by which a stream is found."""
        rows = (read_message(record.name, row) for row in self.messages(record))
        said = [said_by(record.no, row) for row in rows if row.searchable]
        return [*said, *(told_by(record.no, one) for one in self.told(record))]

    def mark(self, record: StreamRecord, state: str) -> None:
        """Notes what has become of a stream."""
        if record.state != state:
            record.state = state
            self.database.send(self.sql["set_state"], (state, record.no))


class _Stored:
    """The stored messages of one stream."""

    def __init__(self, tables: Tables, record: StreamRecord) -> None:
        self._tables = tables
        self._record = record

    def by_id(self, message_id: str) -> MessageRow | None:
        first, last = bounds(self._record.no)
        values = {"id": message_id, "first": first, "last": last}
        return self._read("message_by_id", values)

    def at(self, seq: int) -> MessageRow | None:
        return self._read("message_at", {"place": place(self._record.no, seq)})

    def delivery(self, message_id: str) -> DeliveryRow | None:
        first, last = bounds(self._record.no)
        values = {"id": message_id, "first": first, "last": last}
        row = self._tables.database.one(self._tables.sql["delivery_by_id"], values)
        return read_delivery(self._record.name, row) if row else None

    def received(self, message_id: str) -> ExternalMessageRow | None:
        first, last = bounds(self._record.no)
        values = {"id": message_id, "first": first, "last": last}
        row = self._tables.database.one(self._tables.sql["external_message_by_id"], values)
        return read_external_message(self._record.name, row) if row else None

    def _read(self, query: str, values: dict[str, str | int]) -> MessageRow | None:
        row = self._tables.database.one(self._tables.sql[query], values)
        return read_message(self._record.name, row) if row else None
