"""The ledger on disk: modes, locks, mending, failing calls, and files that others wrote."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from palaver.errors import (
    BadId,
    HomeUnusable,
    KeyReused,
    NotFound,
    StorageFailed,
    StorageFull,
)
from palaver.ledger.files import FileLedger, FileStore, Home, OsFileOps
from palaver.ledger.lines import derived_id, event, meta, turn
from palaver.ledger.port import Erasure
from palaver.ledger.verify import verify_streams
from tests.ledger.conftest import Ticking

A = "conv-A"
S1 = (
    b'{"type":"meta","id":"conv-A","channel":"web","created":"2026-02-14T09:00:00Z"}\n'
    b'{"type":"turn","role":"user","content":"Good morning","timestamp":"2026-02-14T09:00:01Z"}\n'
    b'{"type":"turn","role":"assistant","content":"Hi","cost":0.0040,"extra":{"kept":1e3}}\n'
    b'{"type":"turn","role":"user","content":"More"}\n'
    b'{"type":"event","event":"close","timestamp":"2026-02-14T09:10:00Z"}\n'
)


async def begin(ledger: FileLedger, *contents: str) -> None:
    await ledger.append(
        [meta(A, user="local", channel="web"), *(turn(A, "user", text) for text in contents)]
    )


def damage(store: FileStore) -> list[tuple[str, int | None, int | None]]:
    return [(f.code, f.line, f.offset) for f in verify_streams(store) if f.damage]


async def test_only_the_owner_can_read_a_home(files: FileLedger, home: Home) -> None:
    await begin(files, "private")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in home.root.rglob("*")}
    assert modes
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}


async def test_a_file_is_what_was_acknowledged_byte_for_byte(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two")
    lines = await files.read(A)
    assert home.stream(A).read_bytes() == b"".join(line.raw + b"\n" for line in lines)
    assert damage(store) == []


def test_a_file_in_the_place_of_a_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(HomeUnusable, match="is a file"):
        Home(tmp_path / "home").create()


@pytest.mark.parametrize(
    "name", ["../x", "conv-../x", "conv-a b", "user.jsonl", "", "conv-é", "/x"]
)
def test_no_name_but_an_id_becomes_a_path(home: Home, name: str) -> None:
    with pytest.raises(BadId):
        home.stream(name)


# -- mending -----------------------------------------------------------------------------------


async def reopen(store: FileStore) -> FileLedger:
    ledger = FileLedger(store, clock=Ticking())
    await ledger.open()
    return ledger


async def test_a_torn_tail_is_set_aside_and_cut(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one")
    whole = home.stream(A).read_bytes()
    home.stream(A).write_bytes(whole + b'{"type":"turn","torn')
    assert damage(store) == [("torn_tail", 3, len(whole))]
    again = await reopen(store)
    assert home.stream(A).read_bytes() == whole
    assert home.torn(A).read_bytes() == b'{"type":"turn","torn\n'
    assert damage(store) == []
    (added,) = await again.append([turn(A, "user", "two")])
    assert added.line.seq == 2
    await again.close()


async def test_a_tail_torn_while_we_run_is_mended_before_the_next_line(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one")
    with home.stream(A).open("ab") as file:
        file.write(b'{"type":"tu')
    await files.append([turn(A, "user", "two")])
    assert damage(store) == []
    assert home.torn(A).read_bytes() == b'{"type":"tu\n'


async def test_a_missing_newline_is_added(files: FileLedger, store: FileStore, home: Home) -> None:
    await begin(files, "one")
    whole = home.stream(A).read_bytes()
    home.stream(A).write_bytes(whole[:-1])
    place = whole[:-1].rindex(b"\n") + 1
    assert damage(store) == [("missing_newline", 2, place)]
    await (await reopen(store)).close()
    assert home.stream(A).read_bytes() == whole
    assert not home.torn(A).exists()


async def test_an_empty_file_nobody_knows_is_removed(store: FileStore, home: Home) -> None:
    home.stream(A).touch()
    assert damage(store) == [("empty_file", None, 0)]
    await (await reopen(store)).close()
    assert not home.stream(A).exists()


async def test_an_unfinished_erasure_is_finished_at_the_next_start(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "secret")
    before = home.stream(A).read_bytes()
    await files.erase(Erasure(lines={A: [2]}))
    erased = home.stream(A).read_bytes()
    home.stream(A).write_bytes(before + erased[len(before) :])  # the event, but not the tombstone
    assert [code for code, *_ in damage(store)] == ["unfinished_erasure"]
    await (await reopen(store)).close()
    assert home.stream(A).read_bytes() == erased


async def test_a_deleted_file_that_is_still_there_is_removed(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "secret")
    before = home.stream(A).read_bytes()
    await files.erase(Erasure(streams=[A]))
    home.stream(A).write_bytes(before)
    assert [code for code, *_ in damage(store)] == ["unfinished_erasure"]
    await (await reopen(store)).close()
    assert not home.stream(A).exists()


async def test_deleting_takes_the_torn_fragments_with_it(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one")
    with home.stream(A).open("ab") as file:
        file.write(b'{"secret')
    await files.append([turn(A, "user", "two")])
    assert home.torn(A).exists()
    await files.erase(Erasure(streams=[A]))
    assert not home.torn(A).exists()


# -- adopted files -----------------------------------------------------------------------------


async def test_a_file_of_another_program_is_adopted_and_sealed(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    home.stream(A).write_bytes(S1)
    lines = await files.read(A)
    assert [line.seq for line in lines] == [0, 1, 2, 3, 4]
    assert lines[1].id == derived_id(A, 1)
    assert lines[2].data["extra"] == {"kept": 1e3}
    (added,) = await files.append([turn(A, "user", "Ours")])
    assert (added.line.seq, added.line.data["turnNumber"]) == (6, 3)
    assert home.stream(A).read_bytes().startswith(S1)
    assert damage(store) == []
    notes = [(f.code, f.line) for f in verify_streams(store)]
    assert notes == [("adopted_lines", 1)]


async def test_an_adopted_line_that_changes_breaks_its_seal(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    home.stream(A).write_bytes(S1)
    await files.append([turn(A, "user", "Ours")])
    data = home.stream(A).read_bytes()
    home.stream(A).write_bytes(data.replace(b"Good morning", b"Good evening"))
    assert [code for code, *_ in damage(store)] == ["broken_seal"]


@pytest.mark.parametrize("sealed", [True, False])
async def test_an_adopted_line_can_be_erased(
    files: FileLedger, store: FileStore, home: Home, sealed: bool
) -> None:
    home.stream(A).write_bytes(S1)
    if sealed:
        await files.append([turn(A, "user", "Ours")])
    await files.erase(Erasure(lines={A: [1]}))
    data = home.stream(A).read_bytes()
    assert b"Good morning" not in data
    assert damage(store) == []
    home.stream(A).write_bytes(data.replace(b'"Hi"', b'"Ho"'))
    assert [code for code, *_ in damage(store)] == ["broken_seal"]


async def test_a_line_somebody_appended_by_hand_is_kept_and_named(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one")
    place = home.stream(A).stat().st_size
    with home.stream(A).open("ab") as file:
        file.write(b'{"type":"turn","role":"user","content":"by hand"}\n')
    (added,) = await files.append([turn(A, "user", "two")])
    assert added.line.data["turnNumber"] == 3
    assert [line.data.get("content") for line in await files.read(A)][2] == "by hand"
    assert damage(store) == [("foreign_line", 3, place)]


# -- damage ------------------------------------------------------------------------------------


async def test_every_flipped_bit_is_found_and_named(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two", "three")
    await files.append([event(A, "title_assigned", title="T")])
    lines = await files.read(A)
    data = home.stream(A).read_bytes()
    target = lines[2]
    for place in range(8 * target.offset, 8 * (target.end - 1), 5):
        offset = place // 8
        flipped = bytearray(data)
        flipped[offset] ^= 1 << (place % 8)
        home.stream(A).write_bytes(flipped)
        found = damage(store)
        assert found, f"a flipped bit at {offset} was not found"
        assert found[0][1:] == (3, target.offset)


async def test_removed_doubled_and_swapped_lines_are_found(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two", "three")
    a, b, c, d = (line.raw + b"\n" for line in await files.read(A))
    for wrong in (a + b + d, a + b + b + c + d, a + c + b + d):
        home.stream(A).write_bytes(wrong)
        assert "altered_line" in [code for code, *_ in damage(store)]


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1,2]",
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"a":' + b"9" * 5000 + b"}",
    ],
)
async def test_a_line_that_cannot_be_read_stops_nothing(
    files: FileLedger, store: FileStore, home: Home, line: bytes
) -> None:
    await begin(files, "one")
    place = home.stream(A).stat().st_size
    with home.stream(A).open("ab") as file:
        file.write(line + b"\n")
    await files.append([turn(A, "user", "two")])
    read = await files.read(A)
    assert read[2].raw == line
    assert not read[2].readable
    assert damage(store)[0] == ("unreadable_line", 3, place)
    tail = await files.tail(A, 1)
    assert [line.data.get("content") for line in tail][-1] == "two"


async def test_a_missing_meta_line_is_named_and_the_rest_is_read(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    home.stream(A).write_bytes(S1.partition(b"\n")[2])
    first, *_ = await files.read(A)
    assert first.type == "turn"
    assert ("missing_meta", 1, 0) in damage(store)


def test_other_files_are_left_alone_and_mentioned(store: FileStore, home: Home) -> None:
    (home.conversations / "my notes.jsonl").write_text("hello")
    (finding,) = verify_streams(store)
    assert (finding.code, finding.damage) == ("ignored_file", False)
    assert finding.file == "conversations/my notes.jsonl"


async def test_a_tombstone_nobody_recorded_is_damage(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two")
    await files.erase(Erasure(lines={A: [1]}))
    data = home.stream(A).read_bytes()
    without_event = b"".join(line + b"\n" for line in data.split(b"\n")[:3])
    home.stream(A).write_bytes(without_event)
    assert [code for code, *_ in damage(store)] == ["stray_tombstone"]


async def test_lines_that_are_in_no_file_are_missed_by_their_numbers(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two", "three")
    await files.append([meta("conv-B", user="local"), turn("conv-B", "user", "other")])
    await files.append([meta("conv-C", user="local"), turn("conv-C", "user", "goes")])
    await files.erase(Erasure(lines={A: [1]}, streams=["conv-C"]))
    assert list(verify_streams(store)) == []
    (home.conversations / "conv-B.jsonl").unlink()
    home.stream(A).write_bytes(b"\n".join(home.stream(A).read_bytes().split(b"\n")[:-2]) + b"\n")
    (*_, note) = verify_streams(store)
    assert (note.code, note.damage) == ("missing_numbers", False)
    assert note.message.startswith("3 numbered lines are in no file.")


async def test_a_number_that_is_damaged_may_be_any(
    files: FileLedger, store: FileStore, home: Home
) -> None:
    await begin(files, "one", "two")
    data = home.stream(A).read_bytes()
    home.stream(A).write_bytes(data.replace(b'"pos":2,', b'"pos":9000000000000000000,'))
    assert [code for code, *_ in damage(store)] == ["altered_line"]


async def test_nothing_is_taken_after_closing(store: FileStore) -> None:
    ledger = await reopen(store)
    await begin(ledger, "one")
    await ledger.close()
    with pytest.raises(StorageFailed, match="closed"):
        await ledger.append([turn(A, "user", "too late")])


@pytest.mark.parametrize("link", ["conversations/conv-A.jsonl", "write.lock"])
async def test_links_are_not_followed(store: FileStore, home: Home, link: str) -> None:
    elsewhere = home.root / "elsewhere"
    elsewhere.write_bytes(S1)
    (home.root / link).symlink_to(elsewhere)
    ledger = FileLedger(store)
    opened = await asyncio.gather(ledger.open(), return_exceptions=True)
    written = await asyncio.gather(
        ledger.append([turn(A, "user", "not here")]), return_exceptions=True
    )
    await ledger.close()
    assert isinstance(opened[0], HomeUnusable) == (link == "write.lock")
    assert isinstance(written[0], StorageFailed | NotFound)
    assert elsewhere.read_bytes() == S1


def test_every_folder_that_is_made_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Home(tmp_path / "a" / "users" / "usr-1").create()
    finally:
        os.umask(before)
    made = [tmp_path / "a", tmp_path / "a/users", tmp_path / "a/users/usr-1/conversations"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}


# -- failing calls -----------------------------------------------------------------------------


class FullDisk(OsFileOps):
    """Takes half of a line, then nothing."""

    full = False

    def write(self, handle: int, data: bytes, offset: int) -> int:
        if not self.full or b'"type":"turn"' not in data:
            return super().write(handle, data, offset)
        os.pwrite(handle, data[: len(data) // 2], offset)
        raise OSError(28, "No space left on device")


async def test_a_full_disk_refuses_the_message_and_keeps_the_file(home: Home) -> None:
    ops = FullDisk()
    store = FileStore(home, ops)
    ledger = await reopen(store)
    await begin(ledger, "one")
    before = home.stream(A).read_bytes()
    ops.full = True
    with pytest.raises(StorageFull, match="disk is full"):
        await ledger.append([turn(A, "user", "two", key="api:2")])
    assert home.stream(A).read_bytes() == before
    ops.full = False
    (added,) = await ledger.append([turn(A, "user", "two", key="api:2")])
    assert (added.line.seq, added.line.pos, added.replayed) == (2, 3, False)
    assert damage(store) == []
    await ledger.close()


class FailingSync(OsFileOps):
    """fsync fails for the streams named here."""

    def __init__(self) -> None:
        self.failing: set[str] = set()
        self.synced: list[str] = []

    def sync(self, handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        if name.removesuffix(".jsonl") in self.failing:
            raise OSError(5, "Input/output error")
        self.synced.append(name)
        super().sync(handle)


async def test_a_failed_fsync_is_never_retried_and_harms_no_other_stream(home: Home) -> None:
    ops = FailingSync()
    store = FileStore(home, ops)
    ledger = await reopen(store)
    await begin(ledger, "one")
    await ledger.append([meta("conv-B", user="local")])
    ops.failing = {A}
    with pytest.raises(StorageFailed, match="input/output error"):
        await ledger.append([turn(A, "user", "two")])
    with pytest.raises(StorageFailed):
        await ledger.append([turn(A, "user", "two")])
    (other,) = await ledger.append([turn("conv-B", "user", "unharmed")])
    assert other.line.pos == 5  # 4 belongs to a line that could not even be cut off
    ops.failing, ops.synced = set(), []
    (added,) = await ledger.append([turn(A, "user", "two")])
    assert (added.line.seq, added.line.pos) == (2, 6)
    assert ops.synced.count("conv-A.jsonl") == 2  # once to check the file again, once for the line
    assert damage(store) == []
    await ledger.close()


# -- several ledgers on one home ---------------------------------------------------------------


async def test_two_ledgers_share_a_home(home: Home) -> None:
    one, two = await reopen(FileStore(home)), await reopen(FileStore(home))
    await begin(one, "one")
    for number in range(6):
        writer = (one, two)[number % 2]
        (added,) = await writer.append([turn(A, "user", str(number), key=f"api:{number}")])
        assert (added.line.seq, added.line.pos) == (number + 2, number + 3)
    with pytest.raises(KeyReused):
        await one.append([turn(A, "user", "other words", key="api:1")])
    assert damage(FileStore(home)) == []
    await two.erase(Erasure(streams=[A]))
    with pytest.raises(NotFound):
        await one.append([turn(A, "user", "too late")])
    await one.close()
    await two.close()


async def test_the_lock_file_may_be_lost(home: Home) -> None:
    ledger = await reopen(FileStore(home))
    await begin(ledger, "one")
    home.write_lock.unlink()
    (added,) = await ledger.append([turn(A, "user", "two")])
    assert added.line.pos == 3
    await ledger.close()


async def test_another_loop_commits_while_the_first_stands_still(
    files: FileLedger, store: FileStore
) -> None:
    await begin(files, "one")

    async def say(text: str) -> None:
        await files.append([turn(A, "user", text)])

    for text in ("two", "three"):
        other = Thread(target=asyncio.run, args=[say(text)])
        other.start()
        other.join(10)  # this loop waits for it, and does nothing else
        assert not other.is_alive()
        await say(f"after {text}")
    said = [line.data["content"] for line in await files.read(A) if line.type == "turn"]
    assert said == ["one", "two", "after two", "three", "after three"]
    assert damage(store) == []
