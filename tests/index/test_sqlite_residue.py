"""Residue: nothing of a deleted row is left in any page, however often rows were moved."""

from __future__ import annotations

import random
import re
from pathlib import Path

from palaver.index.sqlite.database import Database, create
from palaver.index.sqlite.residue import wipe
from palaver.ledger.lines import meta, turn
from tests.index.handling import leave_half, merge, run, take
from tests.index.test_sqlite_erasure import canaries, traces
from tests.index.worlds import USER, A, FileWorld, open_files

_PUT = "INSERT INTO sources VALUES (?, ?, 1)"
_DELETE = "DELETE FROM sources WHERE place = ?"
_ERASED = "UPDATE info SET erasures = erasures + 1"


def fill(path: Path, seed: int) -> tuple[Database, list[str]]:
    """A file with rows of many lengths, half of them deleted one by one; and what these said."""
    chance = random.Random(seed)
    create(path)
    database = Database(path)
    said = canaries(3000, seed)
    with database.writing():
        rows = [(n, word + "." * chance.randrange(400)) for n, word in enumerate(said)]
        database.many(_PUT, rows)
    gone = chance.sample(range(3000), 2800)
    with database.writing():
        database.many(_DELETE, [(number,) for number in gone])
        database.run(_ERASED)
    assert database.checkpoint()
    return database, [said[number] for number in gone]


def left(path: Path, words: list[str]) -> int:
    data = path.read_bytes() + path.with_name(f"{path.name}-wal").read_bytes()
    there = set(re.findall(rb"(?=([a-z]{14}))", data))
    return sum(word.encode() in there for word in words)


def test_nothing_is_left_of_rows_that_were_moved_and_deleted(tmp_path: Path) -> None:
    before = 0
    for seed in range(3):
        path = tmp_path / f"{seed}.db"
        database, gone = fill(path, seed)
        before += left(path, gone)
        assert wipe(path)
        assert left(path, gone) == 0
        assert database.all("PRAGMA integrity_check") == [("ok",)]
        assert database.all("SELECT count(*) FROM sources") == [(200,)]
        database.close()
    assert before > 0  # otherwise there is nothing to prove


def test_nobody_writes_back_what_they_remember(tmp_path: Path) -> None:
    """The connection that deleted the rows has their pages in memory, residue and all."""
    path = tmp_path / "some.db"
    database, gone = fill(path, 0)
    assert left(path, gone) > 0
    assert wipe(path)
    with database.writing():
        database.run("UPDATE sources SET message_id = message_id || 'x', quoted = 2")
    database.checkpoint()
    assert left(path, gone) == 0
    database.close()


def test_pages_in_the_log_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    database, _ = fill(path, 0)
    with database.writing():
        database.run(_ERASED)
    assert not wipe(path)
    assert database.checkpoint()
    assert wipe(path)
    assert wipe(path)  # there is nothing to do: the log does not matter
    database.close()


async def erase_a_third(world: FileWorld) -> set[str]:
    """Erases every third message, one by one; gives the words that were in a file afterwards."""
    said = canaries(400)
    await world.write(meta(A, user=USER), *(turn(A, "user", f"Take {w} away") for w in said))
    take(world, 50)
    merge(world)
    await world.index.settle()
    leave_half(world)
    found: set[str] = set()
    for number in range(0, 400, 3):
        await world.erase(lines={A: [number + 1]})
        found |= traces(world, said[: number + 1 : 3])
    return found


async def test_words_that_were_moved_are_erased(home: FileWorld) -> None:
    assert await erase_a_third(home) == set()
    assert run(home, "SELECT erasures = wiped FROM info") == [(1,)]
    assert await home.index.verify() == []


async def test_residue_that_somebody_left_is_wiped_at_the_next_start(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await world.begin(A, "tea")
    await world.close()
    run(world, _ERASED)
    world = await open_files(tmp_path)
    assert run(world, "SELECT erasures = wiped FROM info") == [(1,)]
    await world.close()
