"""A delta: what some lines change in one stream, gathered before anything is stored."""

from __future__ import annotations

from typing import Protocol

from palaver.index.changes import (
    Change,
    Cite,
    Deliver,
    Drop,
    Erase,
    Forget,
    Insert,
    Learn,
    Mark,
    Move,
    Patch,
    Prefer,
    Receive,
    Remember,
    Restate,
    Revise,
    Summarise,
    Uncite,
    Unlearn,
    Use,
)
from palaver.index.channel_rows import DeliveryRow, ExternalMessageRow
from palaver.index.projection import Fold
from palaver.index.rows import (
    DayRow,
    MemoryRow,
    MessageRow,
    OblivionRow,
    PreferenceRow,
    SummaryRow,
    UseRow,
)
from palaver.ledger.lines import Line


class StoredMessages(Protocol):
    """The messages of the stream as they are stored now."""

    def by_id(self, message_id: str) -> MessageRow | None: ...

    def at(self, seq: int) -> MessageRow | None: ...

    def delivery(self, message_id: str) -> DeliveryRow | None: ...

    def received(self, message_id: str) -> ExternalMessageRow | None: ...


class Delta:
    """The changes of some lines, each row in its last form."""

    def __init__(self, fold: Fold, stored: StoredMessages | None = None) -> None:
        self.fold = fold
        self.rows: dict[int, MessageRow] = {}
        """New and changed messages, by `seq`."""
        self.replaced: dict[int, MessageRow] = {}
        """What is stored now of those that are changed."""
        self.keys: dict[str, int | None] = {}
        """Digest → the offset of the line that used the key, or None when it is erased."""
        self.cited: list[Cite] = []
        self.uncited: list[int] = []
        self.summaries: dict[int, SummaryRow] = {}
        """New summaries, by `seq`."""
        self.days: dict[int, DayRow] = {}
        """Days that begin or are done, by `seq`."""
        self.preferences: dict[int, PreferenceRow] = {}
        """What the user has chosen, by `seq`."""
        self.memories: dict[int, MemoryRow] = {}
        """What is remembered, by `seq`."""
        self.uses: list[UseRow] = []
        """Which replies were made with which memories."""
        self.oblivion: list[OblivionRow] = []
        """What is not to be learned again."""
        self.deliveries: dict[int, DeliveryRow] = {}
        """What is to be sent, new or changed, by `seq`."""
        self.received: dict[int, ExternalMessageRow | None] = {}
        """Messages of an exchange, new or changed, by `seq`; None for what was taken back."""
        self.changed: set[str] = set()
        """Messages that say something else now, or nothing: no summary that quotes one holds."""
        self.dropped: list[str] = []
        self.restate: Restate | None = None
        """Set when the stream has to be folded again."""
        self.lines = 0
        self.size = 0
        self._stored = stored
        self._takes_back = False
        self._ids: dict[str, int] = {}

    @property
    def erases(self) -> bool:
        """Whether words go that are stored now."""
        redacts = any(self.rows[seq].status == "redacted" for seq in self.replaced)
        return bool(self.dropped) or self._takes_back or redacts

    def take(self, line: Line) -> None:
        """Adds what `line` changes."""
        for change in self.fold.take(line):
            self._add(change)
        self.lines, self.size = line.seq + 1, line.end

    def _add(self, change: Change) -> None:
        match change:
            case Insert(row):
                self._put(row)
            case Remember(digest, offset):
                self.keys.setdefault(digest, offset)
            case Learn() | Use() | Unlearn() | Deliver() | Move() | Receive() | Revise():
                self._take_in(change)
            case Cite() | Summarise() | Mark() | Prefer() | Uncite():
                self._derive(change)
            case Patch(message_id):
                self._patch(message_id, change)
            case Erase(row):
                self._erase(row)
            case Forget(digests):
                self.keys |= dict.fromkeys(digests)
            case Drop(stream):
                self.dropped.append(stream)
            case Restate():
                self.restate = _joined(self.restate, change)

    def _take_in(self, change: Learn | Use | Unlearn | Deliver | Move | Receive | Revise) -> None:
        match change:
            case Receive(row):
                self.received[row.seq] = row
            case Revise(message_id):
                self._revise(message_id, change)
            case Learn(row):
                self.memories[row.seq] = row
            case Use(row):
                self.uses.append(row)
            case Unlearn(row):
                self.oblivion.append(row)
            case Deliver(row):
                self.deliveries[row.seq] = row
            case Move(message_id, move):
                if row := self._delivery(message_id):
                    self.deliveries[row.seq] = move(row)

    def _delivery(self, message_id: str) -> DeliveryRow | None:
        stored = self._stored.delivery(message_id) if self._stored else None
        if stored is not None and stored.seq not in self.uncited:
            return self.deliveries.get(stored.seq, stored)
        own = (row for row in self.deliveries.values() if row.id == message_id)
        return next(own, None)

    def _revise(self, message_id: str, revision: Revise) -> None:
        stored = self._stored.received(message_id) if self._stored else None
        own = (row for row in self.received.values() if row and row.id == message_id)
        row = self.received.get(stored.seq, stored) if stored else next(own, None)
        if row is not None:
            self.received[row.seq] = revised = revision.change(row)
            self._takes_back = self._takes_back or (stored is not None and revised is None)

    def _derive(self, change: Cite | Summarise | Mark | Prefer | Uncite) -> None:
        match change:
            case Cite():
                self.cited.append(change)
            case Summarise(row):
                self.summaries[row.seq] = row
            case Mark(row):
                self.days[row.seq] = row
            case Prefer(row):
                self.preferences[row.seq] = row
            case Uncite(seq):
                self.uncited.append(seq)
                self.summaries.pop(seq, None)
                self.days.pop(seq, None)
                self.preferences.pop(seq, None)
                self.memories.pop(seq, None)
                self.deliveries.pop(seq, None)
                self.received.pop(seq, None)
                self.uses = [use for use in self.uses if use.seq != seq]
                self.oblivion = [mark for mark in self.oblivion if mark.seq != seq]
                self.cited = [cite for cite in self.cited if cite.seq != seq]

    def _outdate(self, message_id: str) -> None:
        """The summaries so far that stand on a message do not hold any more."""
        self.changed.add(message_id)
        if self.summaries:
            gone = {cite.seq for cite in self.cited if cite.message_id == message_id}
            self.summaries = {seq: row for seq, row in self.summaries.items() if seq not in gone}

    def _put(self, row: MessageRow) -> None:
        self.rows[row.seq] = row
        self._ids.setdefault(row.id, row.seq)

    def _patch(self, message_id: str, patch: Patch) -> None:
        row = self._find(message_id)
        if row is None or row.status == "redacted":
            return
        if row.seq not in self.rows:
            self.replaced[row.seq] = row
        self._put(patch.change(row))
        self._outdate(message_id)

    def _find(self, message_id: str) -> MessageRow | None:
        stored = self._stored.by_id(message_id) if self._stored else None
        if stored is not None:
            return self.rows.get(stored.seq, stored)
        seq = self._ids.get(message_id)
        return None if seq is None else self.rows[seq]

    def _erase(self, row: MessageRow) -> None:
        known = self.rows.get(row.seq)
        if known is None and self._stored:
            known = self._stored.at(row.seq)
            if known is not None:
                self.replaced[row.seq] = known
        if known is not None and known.supersedes != row.supersedes:
            # The record does not say what the message stood for: only folding again can tell.
            self.restate = _joined(self.restate, Restate(frozenset({row.seq}), whole=True))
        self._put(row)
        self._outdate(row.id)


def _joined(first: Restate | None, second: Restate) -> Restate:
    if first is None:
        return second
    return Restate(first.erased | second.erased, first.whole or second.whole)
