"""Commits: what happens between taking the write lock and acknowledging. Synchronous.

lock → settle what a dead writer left → stamp → write each stream → fsync each → erase what the
lines say → note → tell the follower → unlock. Nothing is acknowledged before its fsync came back.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from contextlib import suppress

from palaver.errors import CopyUnfinished, PalaverError, StorageFailed, StorageFull
from palaver.ledger.batch import Batch, Plan, Request, together
from palaver.ledger.erasure import EVENTS
from palaver.ledger.erasure import drafts as erasure_drafts
from palaver.ledger.files import erasing
from palaver.ledger.files.heads import Heads
from palaver.ledger.files.journal import WriteLock
from palaver.ledger.files.keys import Keys
from palaver.ledger.files.mending import mend, remove_empty
from palaver.ledger.files.recovered import Recovered
from palaver.ledger.files.store import FileStore
from palaver.ledger.files.streams import FileStreams
from palaver.ledger.files.writing import StreamWriter
from palaver.ledger.lines import USER_STREAM, Draft, read_line
from palaver.ledger.port import Appended, Erasure, Follower
from palaver.times import Clock, iso


class Committer:
    """The only writer of the streams of a home."""

    def __init__(
        self, store: FileStore, user: str, follower: Follower | None, clock: Clock
    ) -> None:
        self._store = store
        self._user = user
        self._follower = follower
        self._clock = clock
        self._heads = Heads(store, follower)
        self._deleted = erasing.Deleted(store)
        self._keys = Keys(store, follower)
        self._streams = FileStreams(store, self._heads, self._keys, self._deleted)
        self._unsettled: dict[str, int] = {}
        """Streams with lines that nobody was told about, which cannot be settled now."""
        self._recovered = Recovered()
        self._writer = StreamWriter(store)
        store.settle = self._settled

    def close(self) -> None:
        self._writer.close()

    # -- opening -----------------------------------------------------------------------------

    def recover(self) -> Recovered:
        """Brings the home into order: whole lines, finished erasures, a true position; gives what
        that took.

        Raises CopyUnfinished, OSError.
        """
        self._recovered = Recovered()
        with self._store.write_lock() as lock:
            self._check_whole()
            pos = max(self._position(lock), self._follower.position() if self._follower else 0)
            seen = self._follower.seen() if self._follower else dict[str, int]()
            for stream, size in self._store.sizes().items():
                if size > seen.get(stream, -1):
                    pos = max(pos, self._recover_stream(stream, seen.get(stream)))
            lock.write(pos, self._unsettled)
        return self._recovered

    def _recover_stream(self, stream: str, start: int | None) -> int:
        """Mends a stream and finishes the erasures recorded from `start` on; its highest `pos`.

        Without a start, the end of the stream is enough: an interrupted erasure stands there.
        """
        done = self._recovered
        done.streams.add(stream)
        if not self._store.size(stream):
            remove_empty(self._store, stream)
            return 0
        if stream in self._deleted.now():
            erasing.unlink(self._store, stream)
            done.erased += 1
            return 0
        done.torn += mend(self._store, stream)
        records = (
            erasing.last_records(self._store, stream)
            if start is None
            else erasing.records(self._store, stream, start)
        )
        if records:
            done.erased += erasing.enforce(self._store, records)
        for behind, (place, raw) in enumerate(self._store.raw_lines_back(stream)):
            if pos := read_line(stream, 0, place, raw).pos:
                return pos + behind  # a damaged line behind it may have had a `pos` too
        return 0

    # -- committing --------------------------------------------------------------------------

    def commit(self, requests: Sequence[Request]) -> None:
        """Gives every request its outcome."""
        try:
            with self._store.write_lock() as lock:
                self._check_whole()
                while waiting := [r for r in requests if r.outcome is None]:
                    self._attempt(lock, together(waiting))
        except (OSError, CopyUnfinished) as error:
            for request in requests:
                if request.outcome is None:
                    request.outcome = _answer(error)

    def _check_whole(self) -> None:
        """Raises CopyUnfinished: nothing is added to half a copy."""
        if self._store.ops.file_size(self._store.home.unfinished) is not None:
            raise CopyUnfinished

    def position(self) -> int:
        with self._store.write_lock() as lock:
            return self._position(lock)

    def where(self, key: str) -> str | None:
        """The stream in which a key was used. Raises Erased when the line is gone."""
        with self._store.write_lock() as lock:
            line = self._keys.find(key, self._position(lock))
        return line.stream if line else None

    def erasure(self, wanted: Erasure) -> Plan:
        """Records what is erased, from the lines as they stand under the lock."""

        def plan() -> list[Draft]:
            first = not self._store.size(USER_STREAM)
            return erasure_drafts(wanted, self._store.lines, self._user, first=first)

        return plan

    def _attempt(self, lock: WriteLock, requests: Sequence[Request]) -> None:
        """Commits what can be committed together.

        When a stream fails, nothing of this attempt stays, so that `pos` has no gaps. Requests
        that touch it get the error; the others are left without an outcome, to be tried again.
        """
        before = self._position(lock)
        batch = Batch(self._streams, before, iso(self._clock()))
        outcomes = [_placed(batch, request) for request in requests]
        if batch.lines:
            lock.write(before, self._unsettled | batch.starts())
            if errors := self._writer.write(batch.lines):
                self._roll_back(lock, batch)
                _refuse(requests, errors)
                return
            outcomes = self._finish(lock, batch, outcomes)
        for request, outcome in zip(requests, outcomes, strict=True):
            request.outcome = outcome

    def _position(self, lock: WriteLock) -> int:
        note = lock.read()
        if note is not None and not note.pending:
            self._unsettled = {}
            return note.pos
        pos = note.pos if note else 0
        # Without a note, look at everything, and at what we have refused.
        pending = note.pending if note else self._store.sizes() | self._heads.refused()
        self._unsettled = {}
        for stream, start in pending.items():
            try:
                self._heads.settle(stream, start)
                if self._store.size(stream) is not None:
                    pos = max(pos, self._recover_stream(stream, start if note else None))
            except OSError:  # it stays in the note, and takes no lines; the others may
                self._unsettled[stream] = start
                self._heads.doubt(stream)
        lock.write(pos, self._unsettled)
        return pos

    def _settled(self, lock: WriteLock) -> int:
        """The position, with nothing in the streams that was never acknowledged. Raises OSError."""
        pos = self._position(lock)
        if self._unsettled:
            raise OSError(errno.EIO, "a failed write cannot be undone")
        return pos

    def _roll_back(self, lock: WriteLock, batch: Batch) -> None:
        """Cuts the lines off again. Those that stay in doubt keep their numbers for themselves."""
        doubtful = dict[str, int]()
        for stream, lines in batch.lines.items():
            try:
                self._heads.refuse(lines)
            except OSError:
                doubtful[stream] = lines[0].offset
        if doubtful:
            with suppress(OSError):  # then the note before it stays, which names them, too
                lock.write(batch.pos, self._unsettled | doubtful)

    def _finish(
        self, lock: WriteLock, batch: Batch, outcomes: list[list[Appended] | PalaverError]
    ) -> list[list[Appended] | PalaverError]:
        """What follows once the lines are durable."""
        self._heads.keep(batch.ends)
        lines, pending = batch.in_order(), dict[str, int]()
        try:
            if records := [line for line in lines if line.event in EVENTS]:
                erasing.enforce(self._store, records)
        except OSError as error:
            pending = batch.starts()
            outcomes = [_unfinished(outcome, error) for outcome in outcomes]
        # If the note cannot be written, the one before it stays and makes the next holder look.
        with suppress(OSError):
            lock.write(batch.pos, self._unsettled | pending)
        if self._follower:
            self._follower.apply(lines, batch.before)
        return outcomes


def _placed(batch: Batch, request: Request) -> list[Appended] | PalaverError:
    try:
        return batch.place(request)
    except OSError as error:
        return storage_error(error)
    except PalaverError as error:
        return error


def _refuse(requests: Sequence[Request], errors: dict[str, OSError]) -> None:
    for request in requests:
        failed = [errors[stream] for stream in request.streams if stream in errors]
        if failed:
            request.outcome = storage_error(failed[0])


def _unfinished(
    outcome: list[Appended] | PalaverError, error: OSError
) -> list[Appended] | PalaverError:
    """Whoever asked for an erasure must know that it is recorded but not done."""
    if isinstance(outcome, PalaverError) or not any(i.line.event in EVENTS for i in outcome):
        return outcome
    return StorageFailed(
        f"The erasure is recorded but not finished: {_reason(error)}.",
        remedy="Check the disk. Palaver finishes it with the next message or at the next start.",
    )


def _answer(error: OSError | CopyUnfinished) -> PalaverError:
    return storage_error(error) if isinstance(error, OSError) else error


def storage_error(error: OSError) -> StorageFailed:
    """The error a caller gets: nothing of what it sent has been acknowledged."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull()
    return StorageFailed(f"The message was not stored: {_reason(error)}.")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
