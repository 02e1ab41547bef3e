"""Verifying: silent damage is found, and sound rows are not complained about."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.index.sqlite import verify
from tests.index.dumps import Dump, dump
from tests.index.worlds import A, B, FileWorld, open_files

FLIPS = 150
HASHED = ("conversations", "messages")


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


async def test_a_full_text_that_says_something_else_is_found(home: FileWorld) -> None:
    await home.begin(A, "one tea", "two")
    await home.found("tea")
    connection: Any = apsw.Connection(str(home.home.index))
    connection.execute("INSERT INTO messages_fts (rowid, content) VALUES (99, 'never said')")
    connection.close()
    assert [finding.code for finding in await home.index.verify()] == ["text_damaged"]
    await home.index.rebuild()
    assert await home.index.verify() == []


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
    await world.found("words")
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
            noticed = bool(await world.index.verify()) or path.read_bytes() != changed
            await world.close()
            assert noticed, place
    assert visible > FLIPS // 20


def _looks_different(path: Path, before: Dump) -> bool:
    try:
        after = dump(path)
    except (apsw.Error, UnicodeDecodeError):
        return True
    return any(after[table] != before[table] for table in HASHED)
