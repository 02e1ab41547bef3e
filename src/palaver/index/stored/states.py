"""Kept states: what was folded from a conversation, so that the next look folds only what is new.

A conversation has several: the newest, and a few older ones at growing distances. When a message
changes, the states that cover it go, and folding goes on from the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from palaver.index.connection import Connection, Row, Statements
from palaver.index.faults import Unusable
from palaver.index.port import Kept, Unfolded
from palaver.index.rows import is_sound, row_hash, to_message
from palaver.index.stored.places import bounds, place, read_message, seq_of

_NEAR = 8
"""States so near to the newest are one distance."""


class KeptStates:
    """The kept states of one user, inside a transaction that the caller has begun."""

    def __init__(self, database: Connection, sql: Statements) -> None:
        self._database = database
        self._sql = sql

    def unfolded(self, no: int, stream: str, version: int, limit: int) -> Unfolded:
        """The newest state of a stream, and what follows on it. Raises Unusable."""
        first, last = bounds(no)
        within = {"first": first, "last": last, "version": version}
        row = self._database.one(self._sql["newest_state"], within)
        kept = read_state(stream, version, row) if row else None
        start = place(no, kept.covers + 1) if kept else first
        asked = {"place": start, "last": last, "limit": limit + 1}
        found = self._database.all(self._sql["messages_from"], asked)
        shown = found[:limit]
        return Unfolded(
            kept=kept,
            messages=[to_message(stream, read_message(stream, values)) for values in shown],
            more=len(found) > limit,
            seal=_seal(row[-1] if row else b"", (values[-1] for values in shown)),
        )

    def keep(self, no: int, stream: str, state: Kept, read: Unfolded) -> bool:
        """Stores a state, if all that it was folded from is still as it was read."""
        if self._sealed(no, state, read) != read.seal:
            return False
        values = (state.covers, state.version, state.text)
        where = place(no, state.covers)
        row = (where, state.version, state.text, row_hash(stream, values))
        self._database.send(self._sql["put_state"], row)
        self._thin_out(no, state.version)
        return True

    def _sealed(self, no: int, state: Kept, read: Unfolded) -> bytes:
        """The seal of what would be read now."""
        first, _ = bounds(no)
        after, before = first - 1, b""
        if read.kept:
            after = place(no, read.kept.covers)
            asked = {"place": after, "version": state.version}
            row = self._database.one(self._sql["state_at"], asked)
            if row is None:
                return b""
            before = row[0]
        within = {"after": after, "last": place(no, state.covers)}
        hashes = self._database.all(self._sql["hashes_within"], within)
        return _seal(before, (value for (value,) in hashes))

    def _thin_out(self, no: int, version: int) -> None:
        first, last = bounds(no)
        within = {"first": first, "last": last, "version": version}
        self._database.send(self._sql["drop_older_states"], within)
        places = [row[0] for row in self._database.all(self._sql["places_of_states"], within)]
        for where in superfluous(places):
            self._database.send(self._sql["drop_state"], {"place": where, "version": version})


def read_state(stream: str, version: int, values: Row) -> Kept:
    """A stored state. Raises Unusable when it is damaged."""
    where, text, checksum = values
    covers = seq_of(where)
    if not is_sound(stream, (covers, version, text), checksum):
        raise Unusable(f"The state of {stream} is damaged in the index.")
    return Kept(covers, version, text)


def superfluous(places: Sequence[int]) -> list[int]:
    """Which states are not worth keeping, of all in order: of those at about the same distance
    from the newest, the oldest stays, because it is the next one to be further away."""
    seen: set[int] = set()
    gone: list[int] = []
    for where in places[:-1]:
        distance = ((places[-1] - where) // _NEAR).bit_length()
        if distance in seen:
            gone.append(where)
        seen.add(distance)
    return gone


def _seal(before: bytes, hashes: Iterable[bytes]) -> bytes:
    """Tells what a state was folded from: another one before, and messages."""
    return blake2b(b"".join([before, *hashes]), digest_size=16).digest()
