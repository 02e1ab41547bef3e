"""What both ends of a copy promise, whatever they store their lines in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palaver.errors import CopyUnfinished, StorageFailed
from palaver.ledger.files import FileStore, Home, OsFileOps
from palaver.ledger.files.receiving import FileReceiver
from palaver.ledger.files.sending import FileSender
from palaver.ledger.lines import Line, read_line
from palaver.ledger.postgres.receiving import PostgresReceiver
from palaver.ledger.postgres.sending import PostgresSender
from palaver.ledger.receiving import Receiver, Sender
from palaver.ledger.stamping import Head, follow
from palaver.postgres import Pool

A, B = "conv-A", "ext-B"
RAW = [b'{"type":"meta","id":"conv-A"}', "語\u2028".encode(), b"\xff", b"a\0b", b"", b" "]

Ends = tuple[Callable[[], Receiver], Callable[[], Sender]]


@pytest.fixture(params=["files", "postgres"])
def ends(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ends]:
    if request.param == "files":
        store = FileStore(Home(tmp_path))
        yield lambda: FileReceiver(store), lambda: FileSender(store, "me")
        return
    pool = Pool(request.getfixturevalue("database_url"))
    yield lambda: PostgresReceiver(pool, "me"), lambda: PostgresSender(pool, "me")
    pool.close()


def lines_of(stream: str, raw: list[bytes]) -> list[Line]:
    lines: list[Line] = []
    for seq, line in enumerate(raw):
        lines.append(read_line(stream, seq, lines[-1].end if lines else 0, line))
    return lines


def test_lines_are_kept_as_they_came(ends: Ends) -> None:
    receiver, sender = ends[0](), ends[1]
    a, b = lines_of(A, RAW), lines_of(B, RAW[::-1])
    with receiver.receiving() as state:
        assert state == "empty"
        receiver.take(a[:2])
        receiver.take([*a[2:], *b])
        assert list(receiver.stored.lines(A)) == a
        receiver.finish(17)
    with sender().held() as pos:
        assert pos == 17
        assert sender().stored.sizes() == {A: a[-1].end, B: b[-1].end}
        assert list(sender().stored.lines(B)) == b
        sender().check_held()
    with ends[0]().receiving() as state:
        assert state == "used"


def test_an_error_leaves_it_unfinished(ends: Ends) -> None:
    a = lines_of(A, RAW)
    receiver = ends[0]()

    def fail() -> None:
        with receiver.receiving():
            receiver.take(a[:3])
            raise StorageFailed

    with pytest.raises(StorageFailed):
        fail()
    with pytest.raises(CopyUnfinished), ends[1]().held():
        pass
    again = ends[0]()
    with again.receiving() as state:
        assert state == "unfinished"
        assert list(again.stored.lines(A)) == a[:3]
        again.take(a[3:])
        assert list(again.stored.lines(A)) == a
        again.finish(0)


def test_what_stands_behind_a_head_can_be_cut(ends: Ends) -> None:
    receiver = ends[0]()
    a, b = lines_of(A, RAW), lines_of(B, RAW)
    with receiver.receiving():
        receiver.take([*a, *b])
        receiver.cut(follow(Head(A), a[:2]))
        receiver.cut(Head(B))
        assert receiver.stored.sizes() == {A: a[1].end}
        receiver.take([*a[2:], *b])
        assert list(receiver.stored.lines(A)) == a
        assert list(receiver.stored.lines(B)) == b
        receiver.finish(0)


def test_the_same_place_is_known_as_such(ends: Ends) -> None:
    receiver = ends[0]()
    assert receiver.identity == ends[1]().identity == ends[0]().identity


def test_a_file_that_cannot_be_synced_is_copied_again(tmp_path: Path) -> None:
    """After a failed sync the cache shows what the disk may not have."""

    class Failing(OsFileOps):
        failed: int | None = None

        def sync(self, handle: int) -> None:
            if self.failed is None and self.size(handle) == a[-1].end:
                self.failed = handle
                raise OSError("bad disk")
            super().sync(handle)

    a = lines_of(A, RAW)
    store = FileStore(Home(tmp_path), Failing())
    receiver = FileReceiver(store)
    with receiver.receiving():
        receiver.take(a)
        with pytest.raises(OSError, match="bad disk"):
            receiver.finish(1)
    assert store.sizes() == {}
    with receiver.receiving() as state:
        assert state == "unfinished"
