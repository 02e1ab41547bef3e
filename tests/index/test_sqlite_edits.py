"""Somebody edits a file of the ledger by hand: rows are of the lines as they are now."""

from __future__ import annotations

from pathlib import Path

from tests.index.worlds import A, FileWorld, open_files


def stored(world: FileWorld) -> bytes:
    """What the files of the index hold."""
    return world.home.index.read_bytes() + Path(f"{world.home.index}-wal").read_bytes()


async def test_an_edit_before_new_lines_moves_no_row(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await world.begin(A, "one", "two", "three")
    before = world.file().read_bytes()
    await world.say(A, "user", "four")
    await world.close()
    added = world.file().read_bytes()[len(before) :]
    world.file().write_bytes(before.replace(b'"two"', b'"two, edited"') + added)
    world = await open_files(tmp_path)
    await world.say(A, "user", "five")
    assert await world.contents() == ["one", "two, edited", "three", "four", "five"]
    assert [message.seq for message in await world.messages()] == [1, 2, 3, 4, 5]
    await world.close()


async def test_erased_words_leave_the_log_at_the_next_start(tmp_path: Path) -> None:
    """Somebody may have died between erasing the rows and cleaning up."""
    world = await open_files(tmp_path)
    await world.begin(A, "a xylophone", "noted")
    await world.found("xylophone")
    vars(world.index._writer)["_clean"] = lambda database: None  # pyright: ignore
    await world.erase(lines={A: [1]})
    assert b"xylophone" in stored(world)
    again = await open_files(tmp_path)  # while the other one is still there, as good as dead
    assert b"xylophone" not in stored(again)
    await again.close()
    await world.close()
