"""Searching what was said in exchanges with outsiders, in the live tables: by word, and by time.

The words lie in a table of their own. How rare one is goes by what outsiders wrote, and by nothing
else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log1p

import orjson

from palaver.index.channel_rows import to_external, to_external_message
from palaver.index.connection import Connection, Row, Statements
from palaver.index.pieces import SPOKEN
from palaver.index.port import ExternalFound, ExternalHit, Place, SearchFilter
from palaver.index.stored.externals import StoredExternals
from palaver.index.stored.places import read_external, read_external_message, seq_of, stream_of
from palaver.text import Term

_K1, _B, _USUAL_LENGTH = 1.2, 0.75, 75
_LEAST = 20
"""Among fewer messages than that it is not known which words are common."""
_BEFORE_ALL, _AFTER_ALL = "", "~"


@dataclass(slots=True)
class _Piece:
    """A piece of a message that holds some parts of terms."""

    finish: int
    length: int
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def fulness(self, term: Term, language: str) -> float:
        """How much it is about a term, from 0 to `_K1` + 1."""
        held = self.counts.get
        forms = (form for form in term.forms if form.fits(language))
        count = max((sum(held(part, 0) for part in form.parts) for form in forms), default=0)
        usual = _K1 * (1 - _B + _B * self.length / _USUAL_LENGTH)
        return (_K1 + 1) * count / (count + usual)


@dataclass(slots=True)
class _Held:
    """A message that holds some parts of terms, by where its pieces begin."""

    taken: str
    language: str
    pieces: dict[int, _Piece] = field(default_factory=dict[int, _Piece])

    def best(self, term: Term) -> float:
        return max(piece.fulness(term, self.language) for piece in self.pieces.values())


class ExternalSearch:
    """What outsiders wrote, and what they were answered, from one state of the index."""

    def __init__(self, database: Connection, sql: Statements) -> None:
        self._database = database
        self._sql = sql

    def languages(self) -> list[str]:
        """Those of the messages, the most used first."""
        return [SPOKEN[code] for code, _ in self._spoken() if code]

    def hits(self, terms: Sequence[Term], wanted: SearchFilter) -> list[ExternalHit]:
        """Best first, then newest first. Raises NotFound."""
        streams = self._streams(wanted)
        held = self._holding(terms) if terms else self._taken(wanted)
        scored = _scored(terms, held, sum(many for _, many in self._spoken()))
        found = [
            (at, score, span)
            for at, (score, span) in scored.items()
            if streams is None or stream_of(at) in streams
            if (wanted.since or _BEFORE_ALL) <= held[at].taken < (wanted.until or _AFTER_ALL)
        ]
        found.sort(key=lambda one: (one[1], held[one[0]].taken, one[0]), reverse=True)
        names = self._names({stream_of(at) for at, _, _ in found})
        return [
            ExternalHit((names[stream_of(at)], seq_of(at)), score, span)
            for at, score, span in found
        ]

    def shown(self, places: Sequence[Place]) -> dict[Place, ExternalFound]:
        """Those of the messages that are there, each with its exchange."""
        lines = orjson.dumps([{"name": name, "seq": seq} for name, seq in places]).decode()
        ids = orjson.dumps(sorted({name for name, _ in places})).decode()
        messages, exchanges = self._database.all_of(
            (self._sql["external_messages_of_lines"], (lines,)),
            (self._sql["some_externals"], (ids,)),
        )
        known = {row[0]: to_external(read_external(row)) for row in exchanges}
        found: dict[Place, ExternalFound] = {}
        for stream, *values in messages:
            row = read_external_message(stream, tuple(values))
            if stream in known:
                message = to_external_message(stream, row)
                found[stream, row.seq] = ExternalFound(known[stream], message)
        return found

    def _spoken(self) -> list[Row]:
        return self._database.all(self._sql["external_languages"])

    def _streams(self, wanted: SearchFilter) -> set[int] | None:
        """The numbers of the exchanges that are looked at; None for all. Raises NotFound."""
        if wanted.conversation_id is None and wanted.channel is None:
            return None
        if wanted.conversation_id is not None:
            exchange = StoredExternals(self._database, self._sql).one(wanted.conversation_id)
            if wanted.channel not in (None, exchange.channel):
                return set()
            row = self._database.one(self._sql["stream"], (exchange.id,))
            return {row[0]} if row else set()
        rows = self._database.all(self._sql["externals_of_channel"], (wanted.channel,))
        return {no for (no,) in rows}

    def _holding(self, terms: Sequence[Term]) -> dict[int, _Held]:
        """The messages that hold some part of a term, by their places."""
        parts = sorted({part for term in terms for form in term.forms for part in form.parts})
        rows = self._database.all(self._sql["external_words"], (orjson.dumps(parts).decode(),))
        found: dict[int, _Held] = {}
        for part, at, start, finish, length, count, taken, language in rows:
            if at not in found:
                found[at] = _Held(taken, SPOKEN[int(language)])
            pieces = found[at].pieces
            pieces.setdefault(start, _Piece(finish, length)).counts[part] = count
        return found

    def _taken(self, wanted: SearchFilter) -> dict[int, _Held]:
        """The messages of a time, by their places."""
        within = {"since": wanted.since or _BEFORE_ALL, "until": wanted.until or _AFTER_ALL}
        rows = self._database.all(self._sql["external_taken"], within)
        return {at: _Held(taken, "") for at, taken in rows}

    def _names(self, numbers: set[int]) -> Mapping[int, str]:
        listed = orjson.dumps(sorted(numbers)).decode()
        return dict(self._database.all(self._sql["names_of_streams"], (listed,)))


def _scored(
    terms: Sequence[Term], held: Mapping[int, _Held], messages: int
) -> dict[int, tuple[float, tuple[int, int]]]:
    """What the words say for each message, between 0 and 1, and where its best piece is. Each term
    counts where the message is most about it. Without terms, all are alike."""
    if not terms:
        return dict.fromkeys(held, (1.0, (0, 0)))
    fulness = [{at: full for at, one in held.items() if (full := one.best(term))} for term in terms]
    many = max(messages, _LEAST)
    rarity = [log1p((many + 0.5) / (len(found) + 0.5)) for found in fulness]
    most = sum(rarity) * (_K1 + 1)
    total: dict[int, float] = defaultdict(float)
    for weight, found in zip(rarity, fulness, strict=True):
        for at, full in found.items():
            total[at] += weight * full
    return {at: (score / most, _span(held[at], terms, rarity)) for at, score in total.items()}


def _span(held: _Held, terms: Sequence[Term], rarity: Sequence[float]) -> tuple[int, int]:
    """Where the piece begins and ends that holds most; the first of several."""

    def worth(start: int) -> tuple[float, int]:
        weighed = zip(terms, rarity, strict=True)
        piece = held.pieces[start]
        return sum(rare * piece.fulness(term, held.language) for term, rare in weighed), -start

    best = max(held.pieces, key=worth) if len(held.pieces) > 1 else next(iter(held.pieces))
    return best, held.pieces[best].finish
