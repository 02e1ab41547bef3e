"""A ledger under trial: what it was asked to write, what it acknowledged, and what must hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from palaver.errors import PalaverError
from palaver.ledger import chain
from palaver.ledger.batch import Request
from palaver.ledger.files.committer import Committer
from palaver.ledger.files.home import Home
from palaver.ledger.files.ops import FileOps
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Draft, Line, meta, turn
from palaver.ledger.port import Appended, Erasure

HOME = Home(Path("/home"))
SECRET = "the-secret-word"
ADOPTED = "conv-ADOPTED"
STREAMS = ("conv-A", "conv-B", "conv-C")


def clock() -> datetime:
    return datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def committer(ops: FileOps, home: Home = HOME) -> Committer:
    return Committer(FileStore(home, ops), "local", None, clock)


@dataclass(slots=True)
class World:
    """Runs the workload and keeps the promises that were made along the way."""

    ops: FileOps
    home: Home = HOME
    acknowledged: list[Line] = field(default_factory=list[Line])
    erased: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    deleted: set[str] = field(default_factory=set[str])
    on_acknowledge: Callable[[Line], None] | None = None
    writer: Committer = field(init=False)

    def __post_init__(self) -> None:
        self.writer = committer(self.ops, self.home)

    def commit(self, *requests: Sequence[Draft]) -> list[PalaverError]:
        """One group commit of several requests."""
        made = [Request(lambda drafts=drafts: drafts) for drafts in requests]
        self.writer.commit(made)
        return self._take(made)

    def erase(self, erasure: Erasure) -> list[PalaverError]:
        request = Request(self.writer.erasure(erasure))
        self.writer.commit([request])
        errors = self._take([request])
        if not errors:
            self.erased |= {(s, n) for s, seqs in erasure.lines.items() for n in seqs}
            self.deleted |= set(erasure.streams)
        return errors

    def _take(self, requests: Sequence[Request]) -> list[PalaverError]:
        errors: list[PalaverError] = []
        for request in requests:
            if isinstance(request.outcome, PalaverError):
                errors.append(request.outcome)
            else:
                self._acknowledge(request.outcome or [])
        return errors

    def _acknowledge(self, appended: Sequence[Appended]) -> None:
        for item in appended:
            if not item.replayed:
                self.acknowledged.append(item.line)
                if self.on_acknowledge:
                    self.on_acknowledge(item.line)


def workload(world: World) -> None:
    """Every kind of commit: new streams, groups, several lines, adopted files, erasures."""
    a, b, c = STREAMS
    world.commit([meta(a, user="local", channel="web"), turn(a, "user", "Hello", key="api:1")])
    world.commit([turn(a, "assistant", "Hi! " + "ö" * 300)])
    world.commit(
        [meta(b, user="local", channel="web"), turn(b, "user", f"Mind {SECRET} well")],
        [meta(c, user="local", channel="web"), turn(c, "user", "\u2028 and\nlines")],
        [turn(a, "user", "Three", key="api:2"), turn(a, "assistant", "at once")],
    )
    world.commit(
        [turn(ADOPTED, "user", "Going on with an old one", timestamp="2020-01-01T00:00:00.000Z")]
    )
    world.erase(Erasure(lines={b: [1], ADOPTED: [1]}))
    world.commit([turn(b, "assistant", "It is gone")], [turn(c, "user", f"Again {SECRET}")])
    world.erase(Erasure(streams=[c]))
    world.commit([turn(a, "user", "The last word", key="api:3")])


def adopted_file() -> bytes:
    """A file of S1, as it may lie in a home before Palaver came."""
    return (
        b'{"type":"meta","id":"conv-ADOPTED","channel":"web","created":"2020-01-01T00:00:00Z"}\n'
        b'{"type":"turn","role":"user","content":"' + SECRET.encode() + b'","turnNumber":1}\n'
        b'{"type":"turn","role":"assistant","content":"Noted","turnNumber":1}\n'
    )


def broken_promises(world: World, ops: FileOps) -> list[str]:
    """Everything that does not hold in the files as they are, after recovery."""
    store = FileStore(world.home, ops)
    lines = {stream: list(store.lines(stream)) for stream in store.sizes()}
    recorded = _recorded(lines)
    return [
        *_lost(world, lines, recorded),
        *_left_over(world, lines, recorded),
        *_doubled(lines),
        *_unchained(lines),
    ]


def _recorded(lines: dict[str, list[Line]]) -> set[tuple[str, int | None]]:
    """The erasures that the ledger says have happened: (stream, seq), or (stream, None)."""
    found: set[tuple[str, int | None]] = set()
    for stream, stored in lines.items():
        for line in stored:
            if line.event == "redacted":
                found |= {(stream, target["seq"]) for target in line.data["targets"]}
            elif line.event == "deleted":
                found.add((line.data["stream"], None))
    return found


def _lost(
    world: World, lines: dict[str, list[Line]], recorded: set[tuple[str, int | None]]
) -> list[str]:
    problems: list[str] = []
    for line in world.acknowledged:
        stored = lines.get(line.stream, [])
        if (line.stream, None) in recorded or (line.stream, line.seq) in recorded:
            continue
        if line.seq >= len(stored) or stored[line.seq].raw != line.raw:
            problems.append(f"lost: {line.stream} line {line.seq + 1} ({line.type} {line.event})")
    problems += [f"not recorded: erasure of {e}" for e in world.erased if e not in recorded]
    problems += [
        f"not recorded: deletion of {s}" for s in world.deleted if (s, None) not in recorded
    ]
    return problems


def _left_over(
    world: World, lines: dict[str, list[Line]], recorded: set[tuple[str, int | None]]
) -> list[str]:
    problems: list[str] = []
    for stream, seq in recorded:
        if seq is None and stream in lines:
            problems.append(f"left over: the file of {stream}")
        elif seq is not None and stream in lines and SECRET.encode() in lines[stream][seq].raw:
            problems.append(f"left over: the words of {stream} line {seq + 1}")
    return problems


def _doubled(lines: dict[str, list[Line]]) -> list[str]:
    every = [line for stored in lines.values() for line in stored if line.type != "tombstone"]
    positions = Counter(line.pos for line in every if line.pos)
    ids = Counter(line.id for line in every if line.type == "turn")
    keys = Counter(line.data["key"] for line in every if "key" in line.data)
    doubles = [*_more_than_once(positions), *_more_than_once(ids), *_more_than_once(keys)]
    return [f"doubled: {what}" for what in doubles]


def _more_than_once(counted: Counter[object] | Counter[int] | Counter[str]) -> list[object]:
    return [value for value, count in counted.items() if count > 1]


def _unchained(lines: dict[str, list[Line]]) -> list[str]:
    """A line that reads well must prove well, unless something before it was left unreadable."""
    problems: list[str] = []
    for stream, stored in lines.items():
        previous: bytes | None = chain.ORIGIN
        for line in stored:
            proof = chain.proof_of(line.raw, line.data)
            if proof is None:
                previous = previous if line.adopted and line.readable else None
                continue
            if previous is not None and not proof.follows(previous):
                problems.append(f"unproved: {stream} line {line.seq + 1}")
            previous = proof.chain
    return problems


def recovered(ops: FileOps, home: Home = HOME) -> FileOps:
    """The files after a start, and after one more message was taken."""
    writer = committer(ops, home)
    writer.recover()
    request = Request(
        lambda: [meta("conv-NEW", user="local"), turn("conv-NEW", "user", "After the crash")]
    )
    writer.commit([request])
    writer.close()
    if isinstance(request.outcome, PalaverError):
        raise request.outcome
    return ops
