"""The days of a continuous conversation, from the live tables.

Everything here happens inside a transaction that the caller has begun.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson

from palaver.index.connection import Connection, Row, Statements, Values
from palaver.index.fulltext.pages import Page
from palaver.index.port import Day
from palaver.index.records import StoredSummary
from palaver.index.rows import DayRow, to_summary
from palaver.index.stored.places import bounds, place, read_day, read_summary
from palaver.index.summary_fold import day_kind, day_of

_LATEST = "~"
"""Sorts after every label."""
_LAST_TURN = 1 << 40
_EVERY = 1 << 30


class Days:
    """Reads the days of one conversation."""

    def __init__(self, database: Connection, sql: Statements, name: str, no: int) -> None:
        self._database = database
        self._sql = sql
        self._name = name
        self._no = no

    def before(self, label: str | None, limit: int) -> list[Day]:
        """Days before a label, the newest first."""
        rows = self._rows("days_before", label=label or _LATEST, limit=limit)
        return self._told(rows)[::-1]

    def of_label(self, label: str) -> Day | None:
        rows = [row for row in self._rows("days_from", label=label, limit=1) if row.label == label]
        return next(iter(self._told(rows)), None)

    def of_id(self, name: str) -> Day | None:
        return next(iter(self._told(self._rows("day_of_id", id=name))), None)

    def of_turn(self, turn: int) -> Day | None:
        return next(iter(self._told(self._rows("day_of_turn", turn=turn))), None)

    def untold(self, limit: int) -> list[Day]:
        """Days with messages of which no summary tells, the oldest first; not the newest day."""
        return self._told(self._rows("untold_days", limit=limit))

    def citing(self, message_ids: Sequence[str]) -> list[StoredSummary]:
        """Those of the last summaries that stand on one of some messages."""
        found = self._all("summaries_citing", ids=_listed(message_ids))
        return [to_summary(read_summary(self._name, row)) for row in found]

    def marks(self) -> tuple[list[DayRow], list[Page]]:
        """What marks each day, and where its summary is, the oldest first; not what that says."""
        rows = self._rows("days_from", label="", limit=_EVERY)
        pages = [
            Page(day_of(kind) or "", at, checksum, covers)
            for at, kind, covers, checksum in self._all("newest_day_summaries")
        ]
        labels = {row.label for row in rows}
        return rows, [page for page in pages if page.label in labels]

    def _told(self, rows: Sequence[DayRow]) -> list[Day]:
        """All there is to say of some days, the oldest first."""
        ordered = sorted(rows)
        ends = self._ends(ordered)
        closed = self._closed(row.label for row in ordered)
        said, told = self._said(ordered, ends), self._summaries(ordered)
        return [
            Day(
                label=row.label,
                id=row.id,
                zone=row.zone,
                opened=row.at,
                first_turn=row.turn,
                last_turn=end,
                closed=row.label in closed,
                messages=said.get(number, 0),
                summary=told.get(row.label),
            )
            for number, (row, end) in enumerate(zip(ordered, ends, strict=True))
        ]

    def _ends(self, rows: Sequence[DayRow]) -> list[int | None]:
        """The last turn of each day, unless it is the newest: the one before the next day's."""
        last, sql = bounds(self._no)[1], self._sql["days_from"]
        begins = (place(self._no, row.seq + 1) for row in rows)
        asked = [(sql, {"first": first, "last": last, "label": "", "limit": 1}) for first in begins]
        answers = self._database.all_of(*asked) if asked else []
        later = [[read_day(self._name, row) for row in rows] for rows in answers]
        return [found[0].turn - 1 if found else None for found in later]

    def _closed(self, labels: Iterable[str]) -> set[str]:
        return {label for (label,) in self._all("closed_days", labels=_listed([*labels]))}

    def _said(self, rows: Sequence[DayRow], ends: Sequence[int | None]) -> dict[int, int]:
        spans = [
            {"key": number, "first": row.turn, "last": _LAST_TURN if end is None else end}
            for number, (row, end) in enumerate(zip(rows, ends, strict=True))
        ]
        return dict(self._all("said_in_turns", spans=_listed(spans), stream=self._no))

    def _summaries(self, rows: Sequence[DayRow]) -> dict[str, StoredSummary]:
        first, last = bounds(self._no)
        sql = self._sql["newest_summary"]
        asked: list[tuple[str, Values]] = [
            (sql, {"first": first, "last": last, "kind": day_kind(row.label)}) for row in rows
        ]
        answers = self._database.all_of(*asked) if asked else []
        found = zip(rows, answers, strict=True)
        return {
            row.label: to_summary(read_summary(self._name, answer[0]))
            for row, answer in found
            if answer
        }

    def _rows(self, statement: str, **values: str | int) -> list[DayRow]:
        return [read_day(self._name, row) for row in self._all(statement, **values)]

    def _all(self, statement: str, **values: str | int) -> list[Row]:
        first, last = bounds(self._no)
        return self._database.all(self._sql[statement], {"first": first, "last": last, **values})


def _listed(wanted: Sequence[object]) -> str:
    return orjson.dumps(wanted).decode()
