"""Copies: everything of one user from one place to another, byte for byte, proved at the end.

Neither end changes meanwhile. Half a copy is never used (`ledger/receiving.py`); it is gone on with
by copying again. Nothing is derived here: whoever opens the copy makes its index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from palaver.errors import NotEmpty, StorageFailed
from palaver.ledger.lines import Line
from palaver.ledger.port import Finding, LineSource
from palaver.ledger.receiving import Receiver, Sender
from palaver.ledger.stamping import Head
from palaver.ledger.verify import Numbers, StreamCheck, Verifiable
from palaver.portability.copy_resuming import what_stays

_LINES = 2000
_BYTES = 4 << 20

Progress = Callable[[int, int], None]
"""Told how many bytes are done, and of how many."""


class Seen(NamedTuple):
    """What a stream holds."""

    lines: int
    size: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy did."""

    streams: Mapping[str, Seen]
    resumed: bool
    """Some of it was there already, from a copy that was interrupted."""
    findings: Sequence[Finding]
    """What is wrong with the lines: it was so, and is so in the copy."""
    left: Sequence[str]
    """Files of the home that are no lines, and were not copied."""


def copy(sender: Sender, receiver: Receiver, progress: Progress) -> Copied:
    """Copies everything and proves it. Raises NotEmpty, CopyUnfinished, StorageError, OSError.

    If it is interrupted, the same copy can be made again and goes on.
    """
    if sender.identity == receiver.identity:
        raise NotEmpty("That would copy a place to itself.", remedy="Name two different places.")
    with sender.held() as pos, receiver.receiving() as state:
        sizes = sender.stored.sizes()
        tell = _Progress(progress, 2 * sum(sizes.values()))
        read = Reading(sender.stored, tell)
        if state == "used":
            _refuse_other(sizes, receiver)
            read.everything()
        else:
            there = receiver.stored.sizes()
            stays = what_stays(sender.stored, receiver.stored) if there else {}
            _cut(receiver, there, sizes, stays)
            _hand_over(read, sizes, receiver, stays)
        if not _is_whole(read, receiver.stored, tell):
            raise NotEmpty if state == "used" else _not_proved()
        sender.check_held()
        if state != "used":
            receiver.finish(max(pos, read.numbers.last))
        left = [item.file for item in sender.stored.other_findings(0) if not item.damage]
    return Copied(read.streams, state != "empty", read.findings, left)


@dataclass(slots=True)
class _Progress:
    progress: Progress
    total: int
    done: int = 0

    def __call__(self, size: int) -> None:
        self.done += size
        self.progress(min(self.done, self.total), self.total)


@dataclass(slots=True)
class Reading:
    """Reads streams, checks their lines, and remembers what they hold."""

    source: LineSource
    tell: Callable[[int], None]
    streams: dict[str, Seen] = field(default_factory=dict[str, Seen])
    findings: list[Finding] = field(default_factory=list[Finding])
    numbers: Numbers = field(default_factory=Numbers)

    def lines(self, stream: str) -> Iterator[Line]:
        check, digest, lines, size = StreamCheck(stream), blake2b(), 0, 0
        for line in self.source.lines(stream):
            self.findings += self.numbers.count(line, stream)
            self.findings += check.line(line)
            digest.update(line.raw + b"\n")
            lines, size = lines + 1, line.end
            self.tell(len(line.raw) + 1)
            yield line
        self.findings += check.end()
        self.streams[stream] = Seen(lines, size, digest.digest())

    def everything(self) -> None:
        for stream in sorted(self.source.sizes()):
            for _ in self.lines(stream):
                pass


def _refuse_other(sizes: Mapping[str, int], receiver: Receiver) -> None:
    """A place that is in use may only hold the very same: a copy that was finished before."""
    if not sizes or receiver.stored.sizes() != sizes:
        raise NotEmpty


def _cut(
    receiver: Receiver,
    there: Mapping[str, int],
    sizes: Mapping[str, int],
    stays: Mapping[str, Head],
) -> None:
    for stream, head in stays.items():
        if there[stream] != head.size or stream not in sizes:
            receiver.cut(head)


def _hand_over(
    read: Reading, sizes: Mapping[str, int], receiver: Receiver, stays: Mapping[str, Head]
) -> None:
    for part in _parts(
        line
        for stream in sorted(sizes)
        for line in read.lines(stream)
        if stream not in stays or line.seq >= stays[stream].lines
    ):
        receiver.take(part)


def _parts(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """As many lines at a time as may be held."""
    part: list[Line] = []
    size = 0
    for line in lines:
        part.append(line)
        size += len(line.raw)
        if len(part) == _LINES or size >= _BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _is_whole(read: Reading, copied: Verifiable, tell: Callable[[int], None]) -> bool:
    """Reads the whole copy: whether it is what was read, and nothing else is wrong with it."""
    again = Reading(copied, tell)
    other: list[Finding] = []
    for stream in sorted(copied.sizes()):
        own = copied.own_check(stream)
        for line in again.lines(stream):
            own.line(line)
        other += own.end()
    other += copied.other_findings(0)  # the position comes with the end of the copy
    wrong = [item for item in other if item.damage and item.code != "unfinished_copy"]
    return not wrong and (again.streams, again.findings) == (read.streams, read.findings)


def _not_proved() -> StorageFailed:
    return StorageFailed(
        "What arrived is not what was sent, so the copy is not finished.",
        remedy="Run it again; if that does not help, check the disk it is copied to.",
    )
