"""Verifying: silent damage is found, and sound rows are not complained about."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.errors import IndexUnavailable
from palaver.index.faults import Unusable
from palaver.index.fulltext import wording
from palaver.index.sqlite import verify
from tests.index.dumps import Dump, dump
from tests.index.handling import database, merge, run, take
from tests.index.sent import X, exchange
from tests.index.worlds import A, B, FileWorld, open_files

FLIPS = 150
HASHED = ("conversations", "messages")
"""The tables whose rows have a hash each."""


async def test_a_sound_index_has_no_findings(home: FileWorld) -> None:
    lines = await home.begin(A, "one", "two", title="Numbers")
    await home.happen(A, "superseded", messageId=lines[1].id)
    await home.erase(lines={A: [2]})
    await home.begin(B, "three")
    await home.found("three")
    await home.say(B, "assistant", "waits")
    assert await home.index.verify() == []


async def test_lines_that_were_not_read_yet_are_noted(home: FileWorld) -> None:
    await home.begin(A, "one")
    with home.file(A).open("ab") as file:
        file.write(b'{"type":"turn","role":"user","content":"by hand"}\n')
    (finding,) = await home.index.verify()
    assert (finding.code, finding.file, finding.damage) == (
        "not_indexed",
        f"conversations/{A}.jsonl",
        False,
    )


async def test_other_streams_are_named_by_their_files(home: FileWorld) -> None:
    assert verify.file_of("user") == "user.jsonl"
    assert verify.file_of("ext-1") == "external/ext-1.jsonl"


DAMAGE = {
    "a bit of a posting": "UPDATE postings SET counts = x'02' WHERE term = 'tea'",
    "a posting elsewhere": "UPDATE postings SET pieces = x'0100' WHERE term = 'tea'",
    "a posting gone": "DELETE FROM postings WHERE term = 'tea'",
    "a posting too many": "INSERT INTO postings SELECT no, 'cake', x'0000', x'01' FROM segments",
    "another term": "UPDATE postings SET term = 'tee' WHERE term = 'tea'",
    "a bit of the columns": "UPDATE segments SET columns = zeroblob(length(columns))",
    "another number of pieces": "UPDATE segments SET pieces = 3",
    "another digest": "UPDATE segments SET digest = zeroblob(16)",
    "another number": "UPDATE segments SET no = no + 1",
    "a segment gone": "DELETE FROM segments",
    "a message that is nowhere": "DELETE FROM waiting",
    "a message in two places": "INSERT OR IGNORE INTO waiting SELECT place FROM messages",
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_full_text_that_says_something_else_is_found(home: FileWorld, damage: str) -> None:
    await home.begin(A, "one tea", "two")
    assert take(home) == 2
    await home.begin(B, "three")
    assert await home.index.verify() == []
    run(home, DAMAGE[damage])
    assert {finding.code for finding in await home.index.verify()} == {"text_damaged"}
    await home.index.rebuild()
    assert await home.index.verify() == []
    assert await home.found("tea", "three") == ["three", "one tea"]


async def test_a_half_written_segment_is_no_damage(home: FileWorld) -> None:
    await home.begin(A, "one tea")
    run(home, "INSERT INTO postings VALUES (7, 'tea', x'0000', x'01')")
    assert await home.index.verify() == []
    assert await home.found("tea") == ["one tea"]


async def test_others_write_while_words_are_verified(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a long look, and nothing that happens meanwhile is taken for damage."""
    await home.begin(A, *(f"tea {number}" for number in range(30)))
    take(home, 3)
    await home.begin(B, *(f"cake {number}" for number in range(10)))
    batches: Any = wording.batches
    loop = asyncio.get_running_loop()
    happened: list[int] = []

    def made(messages: Any) -> Any:
        found = list(batches(messages))
        if len(happened) < 4:
            happened.append(len(found))
            asyncio.run_coroutine_threadsafe(happen(len(happened)), loop).result(20)
        return found

    async def happen(number: int) -> None:
        await home.say(A, "user", f"more tea {number}")
        take(home)
        merge(home)
        await home.erase(lines={A: [number, 20 + number]})
        with database(home) as other:
            assert other.checkpoint()  # which it could not while somebody reads

    monkeypatch.setattr(wording, "_AT_ONCE", 5)
    monkeypatch.setattr(wording, "batches", made)
    assert await home.index.verify() == []
    assert len(happened) == 4


@pytest.mark.parametrize("table", HASHED)
async def test_a_changed_value_is_found(home: FileWorld, table: str) -> None:
    await home.begin(A, "one", title="Numbers", metadata={"a": 1})
    connection: Any = apsw.Connection(str(home.home.index))
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    for column in set(columns) - {"place", "stream", "id", "hash"}:
        (before,) = (connection.execute(f"SELECT {column} FROM {table}").get,)
        changed = {str: "9999-x", int: 7, float: 0.5, type(None): None}[type(before)]
        if changed is None:
            continue
        connection.execute(f"UPDATE {table} SET {column} = ?", (changed,))
        findings = {finding.code for finding in await home.index.verify()}
        assert "row_damaged" in findings, column
        connection.execute(f"UPDATE {table} SET {column} = ?", (before,))
    connection.close()
    assert await home.index.verify() == []


async def test_flipped_bits_are_found(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    for number in range(12):
        words = "some words that were said", f"and an answer {number}", "thanks"
        await world.begin(f"conv-{number}", *words, title=f"Title {number}")
    take(world)
    await world.say("conv-1", "user", "waits")
    await exchange(world, X, *["somebody else asks", "and is answered with other words"] * 8)
    await world.close()
    sound, path = world.home.index.read_bytes(), world.home.index
    before = dump(path)
    chance = random.Random(1)
    visible = 0
    for _ in range(FLIPS):
        place = chance.randrange(100, len(sound))
        flipped = sound[place] ^ 1 << chance.randrange(8)
        changed = sound[:place] + bytes([flipped]) + sound[place + 1 :]
        path.write_bytes(changed)
        if _looks_different(path, before):
            visible += 1
            path.write_bytes(changed)
            world = await open_files(tmp_path)
            noticed = await _noticed(world) or path.read_bytes() != changed
            await world.close()
            assert noticed, place
    assert visible > FLIPS // 20


async def _noticed(world: FileWorld) -> bool:
    try:
        return bool(await world.index.verify())
    except IndexUnavailable:  # it was noticed before, and is being mended
        return True


def _looks_different(path: Path, before: Dump) -> bool:
    try:
        after = dump(path)
    except (apsw.Error, Unusable, ValueError, TypeError):
        return True
    tables = (*HASHED, "words", "external_messages", "external_words")
    return any(after[table] != before[table] for table in tables)
