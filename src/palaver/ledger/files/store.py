"""The stored lines of a home, read forwards, backwards and by their end. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from palaver.ledger import chain
from palaver.ledger.files.checks import FileCheck, other_findings
from palaver.ledger.files.home import SUFFIX, Home, is_stream_file
from palaver.ledger.files.journal import WriteLock, read_note
from palaver.ledger.files.ops import FileOps, OsFileOps
from palaver.ledger.lines import USER_STREAM, Line, read_line
from palaver.ledger.port import Finding
from palaver.ledger.stamping import Head, follow

_BLOCK = 1 << 20
_SUFFIX = len(SUFFIX)
_TAIL_BLOCK = 1 << 16


class FileStore:
    """The streams of one home; a LineSource."""

    def __init__(self, home: Home, ops: FileOps | None = None) -> None:
        self.home = home
        self.ops = ops or OsFileOps()
        self.settle: Callable[[WriteLock], int] | None = None
        """How whoever commits settles what a dead or failed writer left; gives the position."""

    def sizes(self) -> dict[str, int]:
        found = {
            name[:-_SUFFIX]: size
            for folder in (self.home.conversations, self.home.external)
            for name, size in self.ops.sizes(folder).items()
            if is_stream_file(name)
        }
        size = self.ops.file_size(self.home.stream(USER_STREAM))
        return found if size is None else {**found, USER_STREAM: size}

    def newest_first(self) -> Iterator[str]:
        """Every stream there is: the user's own, then those written last."""
        if self.size(USER_STREAM) is not None:
            yield USER_STREAM
        for folder in (self.home.conversations, self.home.external):
            names = self.ops.newest_first(folder)
            yield from (name[:-_SUFFIX] for name in names if is_stream_file(name))

    def size(self, stream: str) -> int | None:
        """The length of a stream's file, or None when there is none."""
        return self.ops.file_size(self.home.stream(stream))

    def lines(self, stream: str, *, offset: int = 0, seq: int = 0) -> Iterator[Line]:
        for number, (place, raw) in enumerate(self.raw_lines(stream, offset), seq):
            yield read_line(stream, number, place, raw)

    def raw_lines(self, stream: str, offset: int = 0) -> Iterator[tuple[int, bytes]]:
        """Offset and bytes of each whole line. An end without a newline is not a line (yet)."""
        for piece in self.pieces(stream, offset):
            for raw in piece.split(b"\n")[:-1]:
                yield offset, raw
                offset += len(raw) + 1

    def pieces(self, stream: str, offset: int = 0) -> Iterator[bytes]:
        try:
            handle = self.ops.open_read(self.home.stream(stream))
        except FileNotFoundError:
            return
        try:
            rest = b""
            while block := self.ops.read(handle, _BLOCK, offset + len(rest)):
                whole, newline, rest = (rest + block).rpartition(b"\n")
                if newline:
                    yield whole + newline
                    offset += len(whole) + 1
        finally:
            self.ops.close(handle)

    def raw_lines_back(self, stream: str) -> Iterator[tuple[int, bytes]]:
        """The same, last line first: costs what is taken from it."""
        path = self.home.stream(stream)
        try:
            handle = self.ops.open_read(path)
        except FileNotFoundError:
            return
        try:
            yield from self._back(handle)
        finally:
            self.ops.close(handle)

    def _back(self, handle: int) -> Iterator[tuple[int, bytes]]:
        start, carry, ended = self.ops.size(handle), b"", False
        while start > 0:
            step = min(max(_TAIL_BLOCK, len(carry)), start)
            start -= step
            carry, *others = (self.ops.read(handle, step, start) + carry).split(b"\n")
            if others and not ended:
                others.pop()  # what stands behind the last newline is not a line
                ended = True
            yield from reversed(_placed(others, start + len(carry) + 1))
        if ended:
            yield 0, carry

    def head(self, stream: str) -> Head:
        """The end of a stream, read from its end; whatever stands behind it is not looked at."""
        taken: list[tuple[int, bytes]] = []
        chained, numbered = False, stream == USER_STREAM
        for place, raw in self.raw_lines_back(stream):
            taken.append((place, raw))
            line = read_line(stream, 0, place, raw)
            chained = chained or (chain.chain_of(raw) is not None and "seq" in line.data)
            numbered = numbered or tells_turn(line)
            if chained and numbered:
                return self._head_from(stream, taken)
        return follow(Head(stream), self.lines(stream))

    def _head_from(self, stream: str, taken: list[tuple[int, bytes]]) -> Head:
        """The head from the last lines, newest first; one of them states its `seq`."""
        taken.reverse()
        first = next(
            line.data["seq"] - number
            for number, (place, raw) in enumerate(taken)
            if chain.chain_of(raw) is not None
            and isinstance((line := read_line(stream, 0, place, raw)).data.get("seq"), int)
        )
        return follow(
            Head(stream),
            (read_line(stream, first + n, place, raw) for n, (place, raw) in enumerate(taken)),
        )

    def tail(self, stream: str, turns: int) -> list[Line]:
        """The last lines, back to where `turns` turns are whole."""
        taken: list[tuple[int, bytes]] = []
        seen: set[int] = set()
        seq: int | None = None
        for place, raw in self.raw_lines_back(stream):
            line = read_line(stream, 0, place, raw)
            number = line.data.get("turnNumber") if line.type == "turn" else None
            if isinstance(number, int) and number not in seen:
                if len(seen) == turns:
                    break
                seen.add(number)
            if seq is None and isinstance(line.data.get("seq"), int):
                seq = line.data["seq"] + len(taken)
            taken.append((place, raw))
        if seq is None:
            return list(self.lines(stream))
        first = seq - len(taken) + 1
        return [
            read_line(stream, first + n, place, raw)
            for n, (place, raw) in enumerate(reversed(taken))
        ]

    def at(self, stream: str, offset: int) -> Line | None:
        """The line that begins at `offset`, or None."""
        found = next(self.lines(stream, offset=offset), None)
        if found is None:
            return None
        seq = found.data.get("seq")
        return read_line(stream, seq if isinstance(seq, int) else 0, offset, found.raw)

    def bytes_between(self, stream: str, start: int, end: int) -> bytes:
        """The exact bytes of a part of a stream."""
        handle = self.ops.open_read(self.home.stream(stream))
        try:
            return self.ops.read(handle, end - start, start)
        finally:
            self.ops.close(handle)

    def place(self, stream: str) -> str:
        return self.home.relative(self.home.stream(stream))

    def own_check(self, stream: str) -> FileCheck:
        return FileCheck(self, stream)

    def other_findings(self, last: int) -> Iterator[Finding]:
        return other_findings(self)

    def noted(self) -> int:
        """The position that the last commit noted, without waiting for one under way; 0 when it
        cannot be read."""
        try:
            handle = self.ops.open_read(self.home.write_lock)
        except FileNotFoundError:
            return 0
        try:
            note = read_note(self.ops, handle)
        finally:
            self.ops.close(handle)
        return note.pos if note else 0

    def write_lock(self) -> WriteLock:
        return WriteLock(self.ops, self.home.write_lock)

    @contextmanager
    def exclusive(self) -> Generator[int]:
        with self.write_lock() as lock:
            note = lock.read()
            yield self.settle(lock) if self.settle else note.pos if note else 0


def _placed(lines: list[bytes], offset: int) -> list[tuple[int, bytes]]:
    placed: list[tuple[int, bytes]] = []
    for raw in lines:
        placed.append((offset, raw))
        offset += len(raw) + 1
    return placed


def tells_turn(line: Line) -> bool:
    """Whether no line before it has a higher turn: a user's, unless it takes the place of another.

    A reply may come late, for a turn that is not the last.
    """
    return (
        line.type == "turn"
        and line.data.get("role") == "user"
        and "supersedes" not in line.data
        and isinstance(line.data.get("turnNumber"), int)
    )
