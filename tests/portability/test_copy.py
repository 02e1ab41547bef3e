"""Copies: there and back to the same bytes, whatever happened before and whatever interrupts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings

from palaver.errors import (
    CopyUnfinished,
    Erased,
    NotEmpty,
    NotFound,
    StorageBusy,
    StorageFailed,
    StorageUnreachable,
)
from palaver.ledger.files import FileStore
from palaver.ledger.files.receiving import FileReceiver
from palaver.ledger.files.sending import FileSender
from palaver.ledger.lines import USER_STREAM, Line, event, meta, turn
from palaver.ledger.port import Erasure, Ledger
from palaver.ledger.postgres import Committer, PostgresLedger, PostgresSource
from palaver.ledger.postgres.receiving import PostgresReceiver
from palaver.ledger.receiving import Receiver
from palaver.ledger.verify import verify_streams
from palaver.postgres import Pool
from tests.index.histories import History, steps
from tests.index.worlds import Ticking, open_files
from tests.portability.copies import Database, Dying, Folders, KilledError, contents, copied
from tests.proofs.simdisk import SimDisk
from tests.proofs.world import HOME

A, B, C = "conv-A", "conv-B", "conv-C"
FOREIGN = [
    b'{"type":"turn","role":"user","content":"adopted","key":"theirs","turnNumber":4}',
    b"not JSON",
    b"\xff\xfe\x00",
    b"with a \x00 in it",
    b"",
    '{"type":"turn","role":"user","content":"線\u2028\U0001f600"}'.encode(),
]


async def fill(folders: Folders, name: str = "old") -> None:
    """A home in which everything happened that can happen."""
    foreign = folders.store(name).home.stream(C)
    foreign.write_bytes(b"".join(line + b"\n" for line in FOREIGN))
    ledger = await folders.ledger(name)
    await ledger.append([meta(A, user="local"), turn(A, "user", "one", key="api:1")])
    await ledger.append([meta(B, user="local"), turn(B, "user", "gone", key="api:2")])
    await ledger.append([turn(A, "assistant", "two"), turn(C, "user", "sealed", key="api:3")])
    await ledger.append([meta("ext-D", user="local"), turn("ext-D", "user", "línea\u2028")])
    await ledger.erase(Erasure(lines={A: [1], C: [0]}))
    await ledger.erase(Erasure(streams=[B]))
    await ledger.append([event(USER_STREAM, "memory_added", text="tea")])
    await ledger.close()
    with foreign.open("ab") as file:
        file.write(b'{"type":"turn","role":"user","content":"not sealed yet"}\n')


def codes(source: Any) -> list[tuple[str, int | None]]:
    return [(item.code, item.line) for item in verify_streams(source)]


def ledger_in(places: Folders | Database, name: str) -> tuple[Ledger, Callable[[], object]]:
    """The ledger in a place, and what closes it."""
    if isinstance(places, Folders):
        return asyncio.run(places.ledger(name)), lambda: None
    committer = Committer(places.pool, clock=Ticking())
    return PostgresLedger(PostgresSource(places.pool, name), committer), committer.close


# -- there and back ------------------------------------------------------------------------------


async def test_there_and_back_gives_the_same_files(folders: Folders, database: Database) -> None:
    await fill(folders)
    old = folders.sender("old")
    done = copied(old, database.receiver("me"))
    copied(database.sender("me"), database.receiver("you"))
    copied(database.sender("you"), folders.receiver("new"))
    new = folders.store("new")
    assert contents(new) == contents(old.stored) == contents(database.sender("me").stored)
    assert codes(new) == codes(old.stored) == codes(database.sender("me").stored) != []
    assert not done.resumed
    assert sum(seen.size for seen in done.streams.values()) == sum(old.stored.sizes().values())
    with old.held() as pos, folders.sender("new").held() as again:
        assert pos == again == database.sender("me").stored.position()
    lines = database.sender("you").stored.lines(C)
    assert list(lines) == list(old.stored.lines(C))


@given(history=steps)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_history_comes_back_as_it_was(database: Database, history: list[Any]) -> None:
    user = database.new()

    async def happen(folder: Path) -> None:
        world = await open_files(folder)
        play = History(world)
        for step in history:
            await play.take(step)
        await world.close()

    with TemporaryDirectory() as folder:
        asyncio.run(happen(Path(folder)))
        folders = Folders(Path(folder))
        copied(folders.sender("home"), database.receiver(user))
        copied(database.sender(user), folders.receiver("back"))
        home, back = folders.store("home"), folders.store("back")
        assert contents(back) == contents(home)
        assert codes(back) == codes(home) == codes(database.sender(user).stored)


def test_what_was_copied_is_gone_on_with(places: Folders | Database, folders: Folders) -> None:
    """Keys, erasures and turns are known in the copy as they were."""
    asyncio.run(fill(folders))
    copied(folders.sender("old"), places.receiver("new"))
    ledger, close = ledger_in(places, "new")

    async def go_on() -> None:
        again = await ledger.append([turn(C, "user", "sealed", key="api:3")])
        assert again[0].replayed
        for erased in ("api:1", "api:2"):
            with pytest.raises(Erased):
                await ledger.append([turn(A, "user", "other", key=erased)])
        with pytest.raises(Erased):
            await ledger.append([meta(B, user="local")])
        before = await ledger.position()
        (new,) = await ledger.append([turn(C, "user", "new")])
        seal = (await ledger.read(C))[-2]
        assert (seal.event, seal.pos, new.line.pos) == ("adopted", before + 1, before + 2)
        assert new.line.data["turnNumber"] == 8
        await ledger.close()

    asyncio.run(go_on())
    close()
    unreadable = [("unreadable_line", 2), ("unreadable_line", 3), ("unreadable_line", 4)]
    assert [item for item in codes(places.sender("new").stored) if item in unreadable] == unreadable


def test_an_empty_ledger_can_be_copied(places: Folders | Database, folders: Folders) -> None:
    assert copied(folders.sender("old"), places.receiver("new")).streams == {}
    assert contents(places.sender("new").stored) == {}


async def test_damage_is_copied_as_it_is(folders: Folders, database: Database) -> None:
    """A flipped bit, and a file that was copied by hand: every number and key is there twice."""
    await fill(folders)
    home = folders.store("old").home
    file = home.stream("ext-D")
    file.write_bytes(file.read_bytes().replace(b"nea", b"nee"))
    home.stream("conv-copy").write_bytes(home.stream(C).read_bytes())
    done = copied(folders.sender("old"), database.receiver("me"))
    copied(database.sender("me"), folders.receiver("new"))
    assert contents(folders.store("new")) == contents(folders.store("old"))
    found = {item.code for item in done.findings}
    assert found >= {"altered_line", "doubled_number", "unreadable_line"}
    assert codes(folders.store("new")) == codes(folders.store("old"))


async def test_what_a_crash_left_is_mended_first_and_told(folders: Folders) -> None:
    await fill(folders)
    with folders.store("old").home.stream("ext-D").open("ab") as file:
        file.write(b'{"type":"tu')
    done = copied(folders.sender("old"), folders.receiver("new"))
    assert done.left == ["external/ext-D.jsonl.torn"]
    assert contents(folders.store("new")) == contents(folders.store("old"))


# -- interruptions -------------------------------------------------------------------------------


def test_it_goes_on_wherever_it_was_killed(places: Folders | Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    origin = contents(folders.store("old"))
    last = 0
    for last in range(1, 100):
        name = f"new-{last}"
        dying = Dying(places.receiver(name), last)
        try:
            copied(folders.sender("old"), dying)
        except KilledError:
            if isinstance(places, Database) or not dying.finished:  # there it ends with a commit
                with pytest.raises(CopyUnfinished), places.sender(name).held():
                    pass
            assert copied(folders.sender("old"), places.receiver(name)).resumed
        assert contents(places.sender(name).stored) == origin
        if dying.steps < last:
            break
    assert last > 15


def test_after_a_power_loss_it_is_whole_or_marked(folders: Folders) -> None:
    """At every operation, in states the disk could be left in."""
    asyncio.run(fill(folders))
    sender, rng = folders.sender("old"), random.Random(7)
    origin = contents(sender.stored)

    class Losing(SimDisk):
        states: ClassVar[list[dict[Path, bytes]]] = []

        def happened(self) -> None:
            super().happened()
            Losing.states += [self.after_power_loss(rng) for _ in range(6)]

    copied(sender, Dying(FileReceiver(FileStore(HOME, Losing())), -1))
    marked = 0
    for state in Losing.states:
        disk = FileStore(HOME, SimDisk(state))
        if disk.ops.file_size(HOME.unfinished) is None and contents(disk):
            assert contents(disk) == origin
        else:
            marked += bool(contents(disk))
            copied(sender, FileReceiver(disk))
            assert contents(disk) == origin
            assert disk.ops.file_size(HOME.unfinished) is None
    assert marked > 50


def test_a_copy_that_was_finished_is_told_so(places: Folders | Database, folders: Folders) -> None:
    """Whoever was cut off before the answer asks again."""
    asyncio.run(fill(folders))
    first = copied(folders.sender("old"), places.receiver("new"))
    again = copied(folders.sender("old"), places.receiver("new"))
    assert again.resumed
    assert again.streams == first.streams


def interrupted(folders: Folders, receiver: Receiver) -> None:
    """Everything has come but the end."""
    with pytest.raises(KilledError):
        copied(folders.sender("old"), _WithoutEnd(receiver, -1))


class _WithoutEnd(Dying):
    def finish(self, pos: int) -> None:
        raise KilledError


def test_what_was_erased_meanwhile_is_erased_in_the_copy(
    places: Folders | Database, folders: Folders
) -> None:
    asyncio.run(fill(folders))
    interrupted(folders, places.receiver("new"))

    async def go_on() -> None:
        ledger = await folders.ledger("old")
        await ledger.append([turn(A, "user", "more")])
        await ledger.erase(Erasure(lines={A: [2], C: [5]}))
        await ledger.erase(Erasure(streams=["ext-D"]))
        await ledger.append([meta("conv-E", user="local")])
        await ledger.close()

    asyncio.run(go_on())
    copied(folders.sender("old"), places.receiver("new"))
    new = places.sender("new").stored
    assert contents(new) == contents(folders.store("old"))
    assert "ext-D" not in contents(new)
    assert b'"two"' not in b"".join(contents(new).values())
    assert codes(new) == codes(folders.store("old"))


# -- refusals ------------------------------------------------------------------------------------


def test_another_ledger_is_refused_and_not_touched(
    places: Folders | Database, folders: Folders
) -> None:
    asyncio.run(fill(folders))
    asyncio.run(fill(folders, "other"))
    copied(folders.sender("other"), places.receiver("used"))
    interrupted(folders, places.receiver("half"))
    before = contents(places.sender("used").stored), contents(places.receiver("half").stored)
    with pytest.raises(NotEmpty):
        copied(folders.sender("old"), places.receiver("used"))
    with pytest.raises(NotEmpty, match="another conv-A"):
        copied(folders.sender("other"), places.receiver("half"))
    assert before == (
        contents(places.sender("used").stored),
        contents(places.receiver("half").stored),
    )
    with pytest.raises(CopyUnfinished), places.sender("half").held():
        pass


def test_a_copy_longer_than_its_origin_is_refused(
    places: Folders | Database, folders: Folders
) -> None:
    """The origin was put back from a backup: what is there now is not in it."""
    asyncio.run(fill(folders))
    file = folders.store("old").home.stream("ext-D")
    whole = file.read_bytes()
    interrupted(folders, places.receiver("half"))
    file.write_bytes(whole.partition(b"\n")[0] + b"\n")
    with pytest.raises(NotEmpty):
        copied(folders.sender("old"), places.receiver("half"))
    file.write_bytes(whole)
    copied(folders.sender("old"), places.receiver("half"))


def test_an_erasure_of_another_line_proves_nothing(
    places: Folders | Database, folders: Folders
) -> None:
    """A home was copied by hand and both went on: in one of them the line was erased."""

    async def say(name: str, words: str, erased: list[int]) -> None:
        ledger = await folders.ledger(name)
        await ledger.append([turn(A, "user", words)])
        if erased:
            await ledger.erase(Erasure(lines={A: erased}))
        await ledger.close()

    async def begin() -> None:
        ledger = await folders.ledger("old")
        await ledger.append([meta(A, user="local")])
        await ledger.close()

    asyncio.run(begin())
    copied(folders.sender("old"), folders.receiver("twin"))
    asyncio.run(say("old", "ours", []))
    asyncio.run(say("twin", "them", [1]))
    interrupted(folders, places.receiver("half"))
    with pytest.raises(NotEmpty):
        copied(folders.sender("twin"), places.receiver("half"))
    assert contents(places.receiver("half").stored) == contents(folders.store("old"))


def test_a_place_is_not_copied_to_itself(places: Folders | Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    copied(folders.sender("old"), places.receiver("new"))
    with pytest.raises(NotEmpty, match="itself"):
        copied(places.sender("new"), places.receiver("new"))


def test_a_user_who_is_not_there_is_not_made(database: Database) -> None:
    with pytest.raises(NotFound):
        database.sender("nobody")
    database.receiver("somebody")
    with pytest.raises(NotFound):
        database.sender("nobody")


@pytest.mark.parametrize("harm", ["lost", "altered", "doubled"])
def test_a_receiver_that_errs_is_found_out(
    places: Folders | Database, folders: Folders, harm: str
) -> None:
    class Erring(Dying):
        def take(self, lines: Sequence[Line]) -> None:
            changed = list(lines)
            if harm == "lost":
                changed.pop()
            elif harm == "altered":
                last = changed[-1]
                changed[-1] = last.replace(last.raw.replace(b"tea", b"tee"))
            else:
                last = changed[-1]
                changed.append(Line(last.stream, last.seq + 1, last.end, last.raw, last.data))
            self.inner.take(changed)

    asyncio.run(fill(folders))
    with pytest.raises(StorageFailed, match="not what was sent"):
        copied(folders.sender("old"), Erring(places.receiver("new"), -1))
    with pytest.raises(CopyUnfinished), places.sender("new").held():
        pass


# -- while it is under way -----------------------------------------------------------------------


def test_nobody_commits_to_half_a_copy(places: Folders | Database, folders: Folders) -> None:
    """Not even who had opened the place before, and not after the copy was killed."""
    asyncio.run(fill(folders))
    ledger, close = ledger_in(places, "new")
    interrupted(folders, places.receiver("new"))
    before = contents(places.receiver("new").stored)
    with pytest.raises(CopyUnfinished):
        asyncio.run(ledger.append([meta("conv-X", user="local")]))
    with pytest.raises(CopyUnfinished):
        ledger_in(places, "new")
    assert contents(places.receiver("new").stored) == before
    copied(folders.sender("old"), places.receiver("new"))
    asyncio.run(ledger.append([meta("conv-X", user="local")]))
    asyncio.run(ledger.close())
    close()


def test_a_source_takes_nothing_meanwhile(database: Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    copied(folders.sender("old"), database.receiver("me"))
    ledger, close = ledger_in(database, "me")
    with database.sender("me").held(), pytest.raises(StorageBusy):
        asyncio.run(ledger.append([turn(A, "user", "late")]))
    close()


def test_a_second_copy_to_the_same_user_waits(database: Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    with database.receiver("me").receiving(), pytest.raises(StorageBusy):
        copied(folders.sender("old"), database.receiver("me"))


def test_a_lock_that_got_lost_is_noticed(database: Database, folders: Folders) -> None:
    """The server ends the connection that keeps others away from the source."""
    asyncio.run(fill(folders))
    copied(folders.sender("old"), database.receiver("me"))
    sender = database.sender("me")

    class Cutting(Dying):
        def take(self, lines: Sequence[Line]) -> None:
            super().take(lines)
            holding = sender._holding  # pyright: ignore[reportPrivateUsage]
            assert holding is not None
            with self.pool.connection() as connection:
                connection.script(f"SELECT pg_terminate_backend({holding.process})")

        pool: Pool

    receiver = Cutting(folders.receiver("new"), -1)
    receiver.pool = database.pool
    with pytest.raises(StorageUnreachable):
        copied(sender, receiver)
    with pytest.raises(CopyUnfinished), folders.sender("new").held():
        pass


def test_the_receiving_lock_that_got_lost_is_noticed(database: Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    receiver = database.receiver("me")

    class Cutting(Dying):
        def finish(self, pos: int) -> None:
            holding = receiver._holding  # pyright: ignore[reportPrivateUsage]
            assert holding is not None
            with database.pool.connection() as connection:
                connection.script(f"SELECT pg_terminate_backend({holding.process})")
            super().finish(pos)

    with pytest.raises(StorageUnreachable):
        copied(folders.sender("old"), Cutting(receiver, -1))
    assert isinstance(receiver, PostgresReceiver)
    copied(FileSender(folders.store("old"), "local"), database.receiver("me"))
    assert contents(database.sender("me").stored) == contents(folders.store("old"))


def test_a_copy_can_be_given_up_as_the_guide_says(database: Database, folders: Folders) -> None:
    asyncio.run(fill(folders))
    copied(folders.sender("old"), database.receiver("other"))
    interrupted(folders, database.receiver("local"))
    guide = Path("docs/how-to/moving.md").read_text(encoding="utf-8")
    statements = guide.partition("```sql\n")[2].partition("```")[0]
    with database.pool.connection() as connection:
        connection.script(statements)
    assert contents(database.sender("local").stored) == {}
    with pytest.raises(StorageFailed), database.pool.connection() as connection:
        connection.script(statements)
    copied(folders.sender("old"), database.receiver("local"))
    whole = contents(folders.store("old"))
    assert whole == contents(database.sender("local").stored)
    assert whole == contents(database.sender("other").stored)
