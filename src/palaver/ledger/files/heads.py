"""The ends of the streams as one process knows them, and which of them it must not trust."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.errors import StreamDamaged
from palaver.ledger import chain
from palaver.ledger.files.mending import mend, rewrite
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line
from palaver.ledger.port import Follower
from palaver.ledger.stamping import Head

_MOST_HEADS = 4096


class Heads:
    """Heads of streams, kept while their files keep their length. Used under the write lock."""

    def __init__(self, store: FileStore, follower: Follower | None) -> None:
        self._store = store
        self._follower = follower
        self._known: dict[str, Head] = {}
        self._suspect: set[str] = set()
        """Streams that must be checked before the next write."""
        self._refused: dict[str, tuple[int, bytes]] = {}
        """Streams with a write that we refused: the length they had before, and what it wrote."""

    def of(self, stream: str) -> Head:
        """The end of the stream as it is now, whoever wrote it. Raises StreamDamaged, OSError."""
        size = self._store.size(stream)
        known = self._known.get(stream)
        if known is None or known.size != size or stream in self._suspect:
            known = self._known[stream] = self._read(stream)
        return known

    def _read(self, stream: str) -> Head:
        if self._follower and self._follower.lost(stream):
            raise StreamDamaged(f"{stream} has lost lines on disk and takes no new ones.")
        if self._store.size(stream) is None:
            return Head(stream)
        mend(self._store, stream)
        self._check(stream)
        return self._store.head(stream)

    def keep(self, heads: dict[str, Head]) -> None:
        """Remembers where the streams end after a commit."""
        if len(self._known) > _MOST_HEADS:
            self._known.clear()
        self._known.update(heads)

    def refuse(self, lines: Sequence[Line]) -> None:
        """Cuts off lines of a stream that could not be written. Raises OSError.

        Whatever happens, the stream is not trusted until all of it has been checked.
        """
        stream, start = lines[0].stream, lines[0].offset
        self.doubt(stream)
        self._refused[stream] = start, b"".join(line.raw + b"\n" for line in lines)
        self._cut(stream, start)

    def refused(self) -> dict[str, int]:
        """Streams with a write that we refused, and the length they had before it."""
        return {stream: start for stream, (start, _) in self._refused.items()}

    def doubt(self, stream: str) -> None:
        """Lets nothing be written to a stream until all of it has been checked."""
        self._known.pop(stream, None)
        self._suspect.add(stream)

    def settle(self, stream: str, start: int) -> None:
        """Decides about lines that were never acknowledged. Raises OSError.

        Those we refused are cut off. Those of a writer that died stay, but are written once more:
        if their fsync failed, the cache says they are there and the disk may not have them.
        """
        size = self._store.size(stream)
        if size is None or size <= start:
            return
        refused_at, refused = self._refused.get(stream, (-1, b""))
        left = self._store.bytes_between(stream, start, size)
        if refused_at == start and refused.startswith(left):
            self._cut(stream, start)
        else:
            rewrite(self._store, stream, start)

    def _cut(self, stream: str, size: int) -> None:
        path, ops = self._store.home.stream(stream), self._store.ops
        if self._store.size(stream) is None:
            return
        handle = ops.open_write(path)
        try:
            ops.truncate(handle, size)
            ops.sync(handle)
        finally:
            ops.close(handle)
        if size == 0:
            ops.unlink(path)
            ops.sync_folder(path.parent)

    def _check(self, stream: str) -> None:
        """After a failed write: reads all of the stream, proves it, and syncs it once more."""
        if stream not in self._suspect:
            return
        previous = chain.ORIGIN
        for line in self._store.lines(stream):
            proof = chain.proof_of(line.raw, line.data)
            if proof and not proof.follows(previous):
                raise StreamDamaged(f"{stream} does not hold what was written to it.")
            previous = proof.chain if proof else previous
        rewrite(self._store, stream, self._store.size(stream) or 0)
        self._suspect.discard(stream)
        self._refused.pop(stream, None)
