"""The file of the index may be deleted, replaced or damaged at any second."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.errors import IndexDegraded, IndexTooNew, IndexUnavailable
from palaver.index.port import OwedFilter
from palaver.index.sqlite.database import VERSION
from palaver.ledger.lines import turn
from tests.index.worlds import USER, A, B, FileWorld, open_files

PAGE = 4096


def connection(world: FileWorld) -> Any:
    return apsw.Connection(str(world.home.index))


async def well(world: FileWorld) -> None:
    """Everything that was said in `begin` below can be found."""
    await world.index.settle()
    assert world.index.health().status == "ok"
    assert await world.contents(A) == ["one tea", "two"]
    assert await world.found("tea") == ["one tea"]
    assert await world.listed() == [B, A]


async def begin(world: FileWorld) -> None:
    await world.begin(A, "one tea", "two", title="Numbers")
    await world.begin(B, "other")


async def test_nobody_else_may_read_it(home: FileWorld) -> None:
    await begin(home)
    files = [path for path in home.home.conversations.iterdir() if "conversations.db" in path.name]
    assert len(files) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


async def test_it_is_deleted_while_it_is_used(home: FileWorld) -> None:
    await begin(home)
    home.home.index.unlink()
    assert await home.contents(A) == ["one tea", "two"]
    assert await home.listed() == [B, A]
    await well(home)


async def test_it_is_deleted_before_each_message(home: FileWorld) -> None:
    await home.begin(A)
    said: list[str] = []
    for n in range(12):
        for path in home.home.conversations.glob("conversations.db*" if n % 2 else "*.db"):
            path.unlink(missing_ok=True)
        await home.say(A, "user", f"tea {n}")
        said.append(f"tea {n}")
        assert await home.contents(A) == said
    await home.index.settle()
    assert set(await home.found("tea")) == set(said)


async def test_it_is_deleted_while_nobody_looks(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    world.home.index.unlink()
    world = await open_files(tmp_path)
    await well(world)
    await world.close()


async def test_logs_without_their_file_are_not_read(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    for side in ("-wal", "-shm"):
        path = Path(f"{world.home.index}{side}")
        shutil.copy(path, f"{path}.kept")
    await world.close()
    world.home.index.unlink()
    for side in ("-wal", "-shm"):
        shutil.move(f"{world.home.index}{side}.kept", f"{world.home.index}{side}")
    world = await open_files(tmp_path)
    await well(world)
    await world.close()


async def test_an_older_copy_takes_its_place(home: FileWorld) -> None:
    await home.begin(A, "one tea")
    with connection(home) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    copy = home.home.root / "copy.db"
    shutil.copy(home.home.index, copy)
    await home.say(A, "assistant", "two")
    await home.begin(B, "other")
    copy.replace(home.home.index)
    assert await home.contents(A) == ["one tea", "two"]
    await well(home)


async def test_something_else_takes_its_place(home: FileWorld) -> None:
    await begin(home)
    other = home.home.root / "other"
    other.write_bytes(b"This is no database. " * 1000)
    other.replace(home.home.index)
    await well(home)


def zeros(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(bytes(3 * PAGE))


def shortened(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "zeros in the middle": zeros,
    "shortened": shortened,
    "empty": lambda path: path.write_bytes(b""),
    "another header": lambda path: path.write_bytes(b"x" * 100 + path.read_bytes()[100:]),
    "one page": lambda path: path.write_bytes(path.read_bytes()[:PAGE]),
    "text": lambda path: path.write_text("conversations"),
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_it_is_damaged_while_nobody_looks(tmp_path: Path, damage: str) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    DAMAGE[damage](world.home.index)
    world = await open_files(tmp_path)
    await asked(world)
    await well(world)
    await world.close()


@pytest.mark.parametrize("damage", DAMAGE)
async def test_it_is_damaged_while_it_is_used(home: FileWorld, damage: str) -> None:
    await begin(home)
    with connection(home) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    DAMAGE[damage](home.home.index)
    assert await home.contents(A) == ["one tea", "two"]
    await home.say(A, "user", "three")
    assert await home.contents(A) == ["one tea", "two", "three"]
    await asked(home)
    await home.index.rebuild()
    assert await home.found("three") == ["three"]
    assert await home.index.verify() == []


async def asked(world: FileWorld) -> None:
    """Asks everything once: what is damaged is found, and never answered from."""
    for question in (world.listed, world.conversation, lambda: world.found("tea", "other")):
        try:
            await question()
        except IndexUnavailable:
            await world.index.settle()


async def test_any_page_is_damaged(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.found("tea")
    await world.close()
    sound = world.home.index.read_bytes()
    for start in range(0, len(sound), PAGE):
        world.home.index.write_bytes(sound[:start] + bytes(PAGE) + sound[start + PAGE :])
        world = await open_files(tmp_path)
        for stream, said in ((A, ["one tea", "two"]), (B, ["other"])):
            assert await world.contents(stream) == said
        await asked(world)
        await world.index.settle()  # the last of the questions may have found the damage
        assert await world.listed() == [B, A]
        assert await world.found("tea") == ["one tea"]
        await world.close()


async def test_a_damaged_row_is_never_an_answer(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    sound = world.home.index.read_bytes()
    assert sound.count(b"one tea") == 1
    world.home.index.write_bytes(sound.replace(b"one tea", b"one tee"))
    world = await open_files(tmp_path)
    assert [finding.code for finding in await world.index.verify()] == ["row_damaged"]
    assert await world.contents(A) == ["one tea", "two"]
    await well(world)
    assert await world.index.verify() == []
    await world.close()


async def test_an_older_version_is_made_again(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    with connection(world) as database:
        database.execute("PRAGMA user_version = 0; DROP TABLE keys")
    world = await open_files(tmp_path)
    await well(world)
    await world.close()


async def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    with connection(world) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = world.home.index.read_bytes()
    with pytest.raises(IndexTooNew):
        await open_files(tmp_path)
    assert world.home.index.read_bytes() == before


async def test_a_table_is_gone(home: FileWorld) -> None:
    await begin(home)
    with connection(home) as database:
        database.execute("DROP TABLE keys")
    await home.say(A, "user", "three", key="api:1")
    await home.index.settle()
    assert await home.contents(A) == ["one tea", "two", "three"]
    (again,) = await home.ledger.append([turn(A, "user", "three", key="api:1")])
    assert again.replayed


async def test_when_it_cannot_be_written_messages_are_taken_all_the_same(home: FileWorld) -> None:
    await begin(home)
    limited: Any = home.index
    database = limited._writer._use()
    (before,) = database.one("PRAGMA max_page_count")
    database.one("PRAGMA max_page_count = 1")
    limited._writer._let_go = lambda: None  # keeps the connection, and with it the limit
    long = "three " + "word " * 50_000
    await home.say(A, "user", long)
    health = home.index.health()
    assert health.status == "degraded"
    assert health.detail == "The disk is full, so the index falls behind. Free some space."
    assert await home.contents(A) == ["one tea", "two", long]
    wanted = OwedFilter("9999", turns=5, lag=60, stand_ins=True)
    for question in (
        home.listed,
        lambda: home.found("tea"),
        lambda: home.index.owed(USER, wanted, limit=1),
        home.index.settle,
    ):
        with pytest.raises(IndexDegraded, match="The disk is full"):
            await question()
    database.one(f"PRAGMA max_page_count = {before}")
    await home.say(A, "assistant", "four")
    assert home.index.health().status == "ok"
    assert await home.contents(A) == ["one tea", "two", long, "four"]
    assert await home.found("four") == ["four"]


async def test_when_it_cannot_be_made_health_says_so(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await begin(world)
    await world.close()
    world.home.index.unlink()
    world.home.index.mkdir()
    world = await open_files(tmp_path)
    health = world.index.health()
    assert health.status == "degraded"
    assert await world.contents(A) == ["one tea", "two"]
    with pytest.raises(IndexDegraded):
        await world.listed()
    world.home.index.rmdir()
    await world.say(A, "user", "three")
    await world.index.settle()
    assert set(await world.listed()) == {A, B}
    assert await world.found("three") == ["three"]
    await world.close()
