"""The port of the ledger: what every adapter promises, whatever it stores its lines in.

One contract suite (`tests/ledger/contract.py`) runs against every adapter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from palaver.ledger.lines import Draft, Line
from palaver.ledger.since import Since

Expected = Mapping[str, int]
"""Stream → how long it has to be: a stream only grows, so its length is its version."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of one draft."""

    line: Line
    replayed: bool = False
    """Its key was known with the same message: `line` is the one written then."""


@dataclass(frozen=True, slots=True)
class StreamStat:
    """How long a stream is, without reading it."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be erased for good, in one commit."""

    lines: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """Stream → the `seq` of lines to put a tombstone on."""
    streams: Sequence[str] = ()
    """Streams that go as a whole."""
    ids: Mapping[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    """The id of each line that is a message, by its place: another line is not touched."""
    expected: Expected = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class KeyHit:
    """Where a key was used before; `stream` is None when that message has been erased."""

    stream: str | None
    offset: int = 0
    sure: bool = True
    """False when whoever was asked cannot say."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something `verify` has to say about one place."""

    code: str
    message: str
    damage: bool
    """False for a note that needs no action."""
    file: str = ""
    line: int | None = None
    offset: int | None = None


class Lines(Protocol):
    """The stored lines of streams, read synchronously."""

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        """The whole lines of a stream from `offset` on, where line number `seq` begins.

        Yields nothing when the stream is not there; reads in bounded memory.
        """
        ...

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        """The bytes of a stream's whole lines from `offset` on, each piece ending with a newline.

        For whoever only looks for something in them; yields nothing when the stream is not there.
        """
        ...


class LineSource(Lines, Protocol):
    """All streams of a ledger, for whoever derives something from them."""

    def sizes(self) -> dict[str, int]:
        """Every stream there is, with its length."""
        ...

    def exclusive(self) -> AbstractContextManager[int]:
        """Keeps every process from committing; gives the ledger's position. Not reentrant."""
        ...


class Follower(Protocol):
    """Who is told of every commit before it is acknowledged: the index.

    All methods are called while the ledger's lock is held. They never raise: a follower that
    cannot follow says so in its own health, and the message is acknowledged all the same.
    """

    def seen(self) -> Mapping[str, int]:
        """How much it has applied of each stream; empty when it has nothing or cannot say."""
        ...

    def position(self) -> int:
        """The highest `pos` it has applied; 0 when it has nothing or cannot say."""
        ...

    def lost(self, stream: str) -> bool:
        """Whether the stream has lost lines on disk that the index has seen."""
        ...

    def find_key(self, digest: str, pos: int) -> KeyHit | None:
        """Where a key was used, or None if it was not; the ledger's position is `pos`.

        Not `sure` unless everything up to `pos` has been applied; it catches up first if it can.
        """
        ...

    def apply(self, lines: Sequence[Line], pos: int) -> None:
        """Takes the lines of one commit; `pos` is the ledger's position before it."""
        ...


class Ledger(Protocol):
    """What was said. Every method may raise StorageFailed."""

    async def append(
        self, drafts: Sequence[Draft], *, expected: Expected | None = None
    ) -> list[Appended]:
        """Writes the drafts in one commit and returns once they are durable.

        `seq` grows by one within a stream, `pos` by one within the user, both without gaps, in
        commit order. A stream begins with a `meta` draft; a `meta` draft, and one that is
        `numbered`, is dropped when every other draft for its stream turns out to be a repetition.
        When some of it is new, every stream in `expected` has to be as long as that still.
        Raises InputError, NotFound (no such stream), AlreadyExists (a `meta` for a stream that is
        there), KeyReused, Erased, Outdated (a stream has another length), StreamDamaged; then
        nothing of this call has been written.
        """
        ...

    async def erase(self, erasure: Erasure) -> list[Line]:
        """Records the erasure, then takes the words away. Returns the events that record it.

        Once the events are durable the erasure happens, if need be after a restart.
        Raises NotFound when a stream or line is not there, or is another than was meant, and
        Outdated when a stream has another length than is expected.
        """
        ...

    async def read(self, stream: str, *, after: int = -1, limit: int | None = None) -> list[Line]:
        """The lines of a stream with a `seq` greater than `after`, in order. Raises NotFound."""
        ...

    async def tail(self, stream: str, turns: int) -> list[Line]:
        """The last lines of a stream, at least those of its last `turns` turns, in order.

        Costs what it returns, not what the stream holds. Raises NotFound.
        """
        ...

    async def streams(self) -> list[StreamStat]:
        """Every stream there is."""
        ...

    async def position(self) -> int:
        """The highest `pos` given so far; 0 in an empty ledger."""
        ...

    async def since(self, after: int, *, limit: int) -> Since:
        """The lines with a `pos` greater than `after`, in that order, at most `limit` of them.

        Costs what came since, not what the ledger holds. Raises TooFarBehind when there are more
        than a thousand, or when `after` lies ahead.
        """
        ...

    async def where(self, key: str) -> str | None:
        """The stream in which a key was used; None if it never was.

        Costs a lookup, not a search through the streams. Raises Erased when the line that used it
        is gone.
        """
        ...

    async def close(self) -> None:
        """Waits for commits under way and lets go of everything."""
        ...
