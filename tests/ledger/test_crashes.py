"""Writers that die or fail, one after the other: each of these once lost or doubled something."""

from __future__ import annotations

import asyncio
import errno
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from palaver.errors import BadValue, Erased, NotFound, PalaverError, StorageFailed
from palaver.ledger.batch import Request
from palaver.ledger.files import FileLedger, FileStore, Home, OsFileOps
from palaver.ledger.files.committer import Committer
from palaver.ledger.lines import Draft, Line, event, meta, turn
from palaver.ledger.memory import MemoryLedger
from palaver.ledger.port import Appended, Erasure, KeyHit
from palaver.ledger.verify import verify_streams
from tests.ledger.conftest import Ticking
from tests.proofs.simdisk import SimDisk
from tests.proofs.world import HOME, committer

X, Y = "conv-X", "conv-Y"


class KilledError(BaseException):
    """Stands for SIGKILL: nobody catches it."""


class Disk(SimDisk):
    """Fails to sync the files it is told to, by an error or by the death of the writer."""

    def __init__(self) -> None:
        super().__init__()
        self.failing: set[str] = set()
        self.error: BaseException = OSError(errno.EIO, "io")

    def sync(self, handle: int) -> None:
        if any(self.handles[handle] == self.names.get(HOME.stream(s)) for s in self.failing):
            raise self.error
        super().sync(handle)


def send(writer: Committer, *drafts: Draft) -> list[Appended] | PalaverError | None:
    request = Request(lambda: drafts)
    writer.commit([request])
    return request.outcome


def contents(disk: SimDisk, stream: str) -> list[str]:
    lines = FileStore(HOME, disk).lines(stream)
    return [line.data["content"] for line in lines if line.type == "turn"]


def test_what_one_process_refused_never_cuts_off_what_another_stored() -> None:
    disk = Disk()
    one, two = committer(disk), committer(disk)
    send(one, meta(X, user="local"), turn(X, "user", "one"), meta(Y, user="local"))
    disk.failing = {X}
    assert isinstance(send(one, turn(X, "user", "refused")), StorageFailed)
    disk.failing = set()
    send(two, turn(X, "user", "stored"))
    disk.failing = {X}
    assert isinstance(send(two, turn(X, "user", "refused, too")), StorageFailed)
    disk.failing = set()
    send(one, turn(Y, "user", "elsewhere"))
    assert contents(disk, X) == ["one", "stored"]


def test_a_retry_after_a_kill_is_durable_before_it_is_acknowledged() -> None:
    disk = Disk()
    send(committer(disk), meta(X, user="local"), turn(X, "user", "one"))
    disk.failing, disk.error = {X}, KilledError()
    with pytest.raises(KilledError):
        send(committer(disk), turn(X, "user", "precious", key="api:1"))
    disk.failing = set()
    again = committer(disk)
    again.recover()
    outcome = send(again, turn(X, "user", "precious", key="api:1"))
    assert isinstance(outcome, list)
    assert outcome[0].replayed
    durable = {path: disk.inodes[n].durable for path, n in disk.durable_names.items()}
    assert contents(SimDisk(durable), X) == ["one", "precious"]


def test_a_refused_line_that_comes_back_has_its_number_for_itself() -> None:
    disk = Disk()
    writer = committer(disk)
    send(writer, meta(X, user="local"), turn(X, "user", "one"), meta(Y, user="local"))
    disk.failing = {X}
    requests = [
        Request(lambda: [turn(X, "user", "refused")]),
        Request(lambda: [turn(Y, "user", "stored")]),
    ]
    writer.commit(requests)
    assert isinstance(requests[0].outcome, StorageFailed)
    assert isinstance(requests[1].outcome, list)
    for seed in range(100):
        after = SimDisk(disk.after_power_loss(random.Random(seed)))
        committer(after).recover()
        store = FileStore(HOME, after)
        positions = [line.pos for stream in store.sizes() for line in store.lines(stream)]
        assert len(positions) == len(set(positions))


def test_the_position_survives_a_follower_that_has_lost_its_memory(home: Home) -> None:
    class Forgetful:
        def seen(self) -> Mapping[str, int]:
            return FileStore(home).sizes()

        def position(self) -> int:
            return 0

        def lost(self, stream: str) -> bool:
            return False

        def find_key(self, digest: str, pos: int) -> KeyHit | None:
            return KeyHit(None, sure=False)

        def apply(self, lines: Sequence[Line], pos: int) -> None:
            pass

    writer = Committer(FileStore(home), "local", Forgetful(), Ticking())
    send(writer, meta(X, user="local"), turn(X, "user", "one", key="api:1"))
    writer.recover()
    outcome = send(writer, turn(X, "user", "one", key="api:1"), turn(X, "user", "two"))
    assert isinstance(outcome, list)
    assert [(item.line.pos, item.replayed) for item in outcome] == [(2, True), (3, False)]
    writer.close()


def test_a_file_that_goes_while_the_folder_is_read_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name)
    listed = list(os.scandir(tmp_path))
    (tmp_path / "b").unlink()

    class Listed(list[os.DirEntry[str]]):
        def __enter__(self) -> Listed:
            return self

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", lambda _: Listed(listed))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert OsFileOps().sizes(tmp_path) == {"a": 1, "c": 1}


# -- erasures ----------------------------------------------------------------------------------


async def test_an_erasure_never_touches_a_line_that_was_moved_about(
    files: FileLedger, home: Home
) -> None:
    said = [turn(X, "user", f"message {number}") for number in range(6)]
    await files.append([meta(X, user="local"), *said])
    await files.erase(Erasure(lines={X: [3]}))
    lines = home.stream(X).read_bytes().split(b"\n")
    home.stream(X).write_bytes(b"\n".join(lines[:1] + lines[2:]))  # by hand, the first one goes
    again = FileLedger(FileStore(home))
    await again.open()
    await again.close()
    kept = home.stream(X).read_bytes()
    assert all(f"message {number}".encode() in kept for number in (1, 3, 4, 5))


async def test_a_message_is_erased_only_where_it_is(files: FileLedger) -> None:
    await files.append([meta(X, user="local"), turn(X, "user", "one"), turn(X, "user", "two")])
    with pytest.raises(NotFound, match="is not where it was"):
        await files.erase(Erasure(lines={X: [1]}, ids={(X, 1): "msg-another"}))
    assert len([line for line in await files.read(X) if line.type == "turn"]) == 2


async def test_erasures_go_alone(files: FileLedger, store: FileStore, home: Home) -> None:
    for name in (X, Y):
        await files.append([meta(name, user="local"), turn(name, "user", "one")])
    results = await asyncio.gather(
        files.erase(Erasure(streams=[X])),
        files.append([turn(X, "user", "too late", key="api:1")]),
        files.append([turn(Y, "user", "in time", key="api:2")]),
        files.erase(Erasure(streams=[Y])),
        return_exceptions=True,
    )
    assert isinstance(results[1], NotFound)
    assert isinstance(results[2], list)
    assert not home.stream(Y).exists()
    await files.append([meta("conv-Z", user="local")])
    with pytest.raises(Erased):
        await files.append([turn("conv-Z", "user", "in time", key="api:2")])
    assert [f for f in verify_streams(store) if f.damage] == []


async def test_what_a_crash_left_of_an_erased_message_goes_too(
    files: FileLedger, home: Home
) -> None:
    await files.append([meta(X, user="local"), turn(X, "user", "one")])
    with home.stream(X).open("ab") as file:
        file.write(b'{"type":"turn","content":"half a sec')
    await files.append([turn(X, "user", "secret")])
    assert home.torn(X).exists()
    await files.erase(Erasure(lines={X: [2]}))
    assert not home.torn(X).exists()


async def test_a_deleted_file_that_is_brought_back_goes_again(
    files: FileLedger, home: Home
) -> None:
    await files.append([meta(X, user="local"), turn(X, "user", "secret")])
    saved = home.stream(X).read_bytes()
    await files.erase(Erasure(streams=[X]))
    home.stream(X).write_bytes(saved)
    again = FileLedger(FileStore(home))
    await again.open()
    await again.close()
    assert not home.stream(X).exists()


@pytest.mark.parametrize("kind", ["files", "memory"])
async def test_a_deleted_id_is_never_begun_again(kind: str, files: FileLedger) -> None:
    ledger = files if kind == "files" else MemoryLedger()
    await ledger.append([meta(X, user="local")])
    await ledger.erase(Erasure(streams=[X]))
    with pytest.raises(Erased):
        await ledger.append([meta(X, user="local"), turn(X, "user", "again")])


async def test_only_the_ledger_records_erasures(files: FileLedger) -> None:
    await files.append([meta(X, user="local"), meta(Y, user="local")])
    for name in ("deleted", "redacted", "adopted"):
        with pytest.raises(BadValue):
            await files.append([event(X, name, stream=Y, targets=[], keys=[])])
    assert await files.erase(Erasure(lines={X: []})) == []


# -- turns -------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [{"role": "assistant"}, {"role": "user", "supersedes": "msg-x"}])
async def test_a_late_line_of_an_earlier_turn_does_not_turn_the_count_back(
    files: FileLedger, home: Home, last: dict[str, str]
) -> None:
    fields: dict[str, Any] = {name: value for name, value in last.items() if name != "role"}
    await files.append(
        [
            meta(X, user="local"),
            turn(X, "user", "one"),
            turn(X, "user", "two"),
            turn(X, last["role"], "late", turnNumber=1, **fields),
        ]
    )
    again = FileLedger(FileStore(home))
    await again.open()
    (added,) = await again.append([turn(X, "user", "three")])
    assert added.line.data["turnNumber"] == 3
    await again.close()
