"""Verification: reads every line of every stream and says what is wrong, where, and what it means.

It reads only; it repairs nothing. Each problem has one code:

altered_line        the bytes are not those that were written, or not in their place
unreadable_line     the bytes are not a JSON object
foreign_line        somebody else wrote a line into a stream of ours
wrong_stream        the meta line names another stream: the file is a copy
doubled_number      another line has the same `pos`
broken_seal         adopted lines have changed since they were sealed
torn_tail           the file ends in the middle of a line
missing_newline     the last line is whole, but its newline is missing
missing_meta        the first line is not a meta line
empty_file          the file has no line
unfinished_erasure  an erasure is recorded, but its words are still there
stray_tombstone     a line was erased, but nothing records that
torn_fragment       (a note) the end of a torn file was set aside
missing_numbers     (a note) numbers were given to lines that are in no file
adopted_lines       (a note) the stream begins with lines that another program wrote
ignored_file        (a note) the name is not that of a stream
unfinished_copy     (a home) a copy to this place was begun and is not finished
wrong_head          (a database) what is noted of the end of a stream is not what its lines say
wrong_key           (a database) what is noted of a key is not what the lines say
wrong_counter       (a database) the last number given is lower than one that stands in a line
stray_lines         (a database) there are lines of no stream
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from palaver.ledger import chain
from palaver.ledger.lines import Line
from palaver.ledger.port import Finding, LineSource

_BLOCK = 1024


class OwnCheck(Protocol):
    """What a way of storing lines has to check about one stream beyond its lines."""

    def line(self, line: Line) -> None:
        """Takes the next line of the stream."""
        ...

    def end(self) -> Iterator[Finding]: ...


class Verifiable(LineSource, Protocol):
    """Stored lines that can be verified."""

    def place(self, stream: str) -> str:
        """What a finding calls the stream."""
        ...

    def own_check(self, stream: str) -> OwnCheck: ...

    def other_findings(self, last: int) -> Iterator[Finding]:
        """What there is to say about no single stream; `last` is the highest `pos` in a line."""
        ...


def verify_streams(source: Verifiable) -> Iterator[Finding]:
    """Everything there is to say about the stored lines, stream by stream."""
    numbers = Numbers()
    for stream in sorted(source.sizes()):
        yield from verify_stream(source, stream, numbers)
    yield from numbers.end()
    yield from source.other_findings(numbers.last)


def verify_stream(
    source: Verifiable, stream: str, numbers: Numbers | None = None
) -> Iterator[Finding]:
    place = source.place(stream)
    check, own = StreamCheck(place), source.own_check(stream)
    for line in source.lines(stream):
        if numbers:
            yield from numbers.count(line, place)
        yield from check.line(line)
        own.line(line)
    yield from check.end()
    yield from own.end()


@dataclass(slots=True)
class Numbers:
    """Counts the lines of all streams: each `pos` up to the last should be accounted for."""

    last: int = 0
    known: int = 0
    used: dict[int, bytearray] = field(default_factory=dict[int, bytearray])
    """Which numbers were met, in blocks: a damaged line may carry any number."""

    def count(self, line: Line, file: str) -> Iterator[Finding]:
        pos = line.pos
        block = self.used.setdefault(pos // _BLOCK, bytearray(_BLOCK))
        if pos and block[pos % _BLOCK]:
            message = f"The number {pos} stands in another line, too: one of them is a copy."
            yield Finding("doubled_number", message, True, file, line.seq + 1, line.offset)
        block[pos % _BLOCK] = 1
        self.last = max(self.last, pos)
        self.known += not line.adopted
        numbered = line.data.get("numbered")
        if line.event == "deleted" and isinstance(numbered, int):
            self.known += numbered

    def end(self) -> Iterator[Finding]:
        missing = self.last - self.known
        if missing > 0:
            message = (
                f"{missing} numbered lines are in no file. Either a crash cut a commit short, and"
                " nobody was told that they are stored; or a file, or the end of one, is missing."
            )
            yield Finding("missing_numbers", message, damage=False)


@dataclass(slots=True)
class StreamCheck:
    """Walks the lines of one stream in order."""

    file: str
    lines: int = 0
    previous: set[bytes] = field(default_factory=lambda: {chain.ORIGIN})
    """What the next chained line may follow; more than one after damage, empty when unknown."""
    chained: bool = False
    stones: dict[int, Line] = field(default_factory=dict[int, Line])
    recorded: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    raw: dict[int, bytes] = field(default_factory=dict[int, bytes])
    """The bytes of lines that a later line may speak of: adopted ones and erased ones."""
    seals: list[Line] = field(default_factory=list[Line])

    def line(self, line: Line) -> Iterator[Finding]:
        self.lines += 1
        if line.seq == 0 and line.type != "meta":
            yield self._finding("missing_meta", "The first line is not a meta line.", line)
        elif line.type == "meta" and line.data.get("id") != line.stream:
            message = (
                "The meta line names another conversation: the file is a copy, or was renamed."
            )
            yield self._finding("wrong_stream", message, line)
        if line.adopted:
            yield from self._adopted(line)
        else:
            yield from self._own(line)

    def _adopted(self, line: Line) -> Iterator[Finding]:
        self.raw[line.seq] = line.raw
        if line.type == "tombstone" or not line.raw.strip():
            self.stones[line.seq] = line
        elif not line.readable:
            self.previous = self.previous if not self.chained else set()
            yield self._finding("unreadable_line", "The line cannot be read as JSON.", line)
        elif self.chained:
            message = "Somebody else wrote this line; it is shown, but nothing proves it."
            yield self._finding("foreign_line", message, line)

    def _own(self, line: Line) -> Iterator[Finding]:
        proof = chain.proof_of(line.raw, line.data)
        recorded = chain.chain_of(line.raw)
        self.chained = True
        if proof is None:
            self.previous = {recorded} if recorded else set()
            yield self._finding("unreadable_line", "The line cannot be read as JSON.", line)
            return
        good = not self.previous or any(proof.follows(p) for p in self.previous)
        in_place = line.data.get("seq") == line.seq
        if not (good and in_place):
            message = "The line is not what was written here, or not in its place."
            yield self._finding("altered_line", message, line)
        self.previous = {proof.chain} | {chain.link(p, proof.body) for p in self.previous}
        if good:
            self.previous = {proof.chain}
        self._remember(line)

    def _remember(self, line: Line) -> None:
        if line.type == "tombstone":
            self.stones[line.seq] = line
        elif line.event == "redacted":
            targets: list[dict[str, Any]] = line.data.get("targets", [])
            self.recorded |= {item["seq"]: item for item in targets}
        elif line.event == "adopted":
            self.seals.append(line)

    def end(self) -> Iterator[Finding]:
        """What can only be said once the whole stream has been read."""
        for seq, stone in self.stones.items():
            if seq not in self.recorded and stone.raw.strip():
                message = "The line was erased, but no event records it."
                yield self._finding("stray_tombstone", message, stone)
        for seq in self.recorded.keys() - self.stones.keys():
            message = f"The erasure of line {seq + 1} is recorded but not finished."
            yield Finding("unfinished_erasure", message, damage=True, file=self.file, line=seq + 1)
        yield from self._check_seals()

    def _check_seals(self) -> Iterator[Finding]:
        for seal in self.seals:
            first, count = seal.data.get("firstSeq", 0), seal.data.get("lines", 0)
            sealed = b"".join(self.raw.get(seq, b"") + b"\n" for seq in range(first, first + count))
            if chain.text(chain.body_hash(seal.data["sealSalt"], sealed)) != seal.data["seal"]:
                message = (
                    f"Lines {first + 1} to {first + count} have changed since they were sealed."
                )
                yield self._finding("broken_seal", message, seal)
            elif first == 0:
                message = f"The first {count} lines were written by another program."
                yield Finding(
                    "adopted_lines", message, damage=False, file=self.file, line=1, offset=0
                )

    def _finding(self, code: str, message: str, line: Line) -> Finding:
        return Finding(
            code, message, damage=True, file=self.file, line=line.seq + 1, offset=line.offset
        )
