"""Erased words are in no file of the home: not in rows, pages, logs or the full text."""

from __future__ import annotations

import random
import string
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from palaver.index.fulltext import segments
from palaver.index.sqlite import database
from palaver.ledger.lines import event, meta, turn
from tests.index.dumps import words_in
from tests.index.handling import take
from tests.index.worlds import USER, A, B, FileWorld, open_files

MESSAGES = 150


def canaries(count: int, seed: int = 0) -> list[str]:
    """Words that stand nowhere else."""
    chance = random.Random(seed)
    letters = string.ascii_lowercase
    return ["".join(chance.choices(letters, k=14)) for _ in range(count)]


def traces(world: FileWorld, wanted: Iterable[str]) -> set[str]:
    """Those words of which a file of the home still holds the greater part."""
    files = [path.read_bytes() for path in world.home.root.rglob("*") if path.is_file()]
    return {word for word in wanted if any(word[2:12].encode() in data for data in files)}


async def say_all(world: FileWorld, stream: str, said: Iterable[str], at_once: int) -> None:
    """Each word in a message of its own, between others, some messages to a commit."""
    await world.write(meta(stream, user=USER))
    drafts = [
        turn(stream, "user", f"they said {word} and more", sender=word, key=f"api:{stream}:{word}")
        for word in said
    ]
    for start in range(0, len(drafts), at_once):
        await world.write(*drafts[start : start + at_once])


@pytest.mark.parametrize("at_once", [1, 150])
@pytest.mark.parametrize("taken", [False, True])
async def test_redacted_words_are_gone(home: FileWorld, at_once: int, taken: bool) -> None:
    said = canaries(MESSAGES)
    await say_all(home, A, said, at_once)
    if taken:
        take(home)
    assert await home.found(said[0])
    erased, kept = said[::3], set(said) - set(said[::3])
    for start in range(0, len(erased), 10):
        seqs = [said.index(word) + 1 for word in erased[start : start + 10]]
        await home.erase(lines={A: seqs})
    assert traces(home, erased) == set()
    assert traces(home, kept) == kept
    assert await home.found(*erased) == []
    assert words_in(home.home.index) == kept | {"they", "said", "and", "more"}


async def test_a_single_redacted_message_among_many_is_gone(home: FileWorld) -> None:
    said = canaries(500)
    await say_all(home, A, said, 500)
    take(home)
    await home.erase(lines={A: [251]})
    assert traces(home, [said[250]]) == set()
    assert await home.index.verify() == []


async def test_deleted_conversations_are_gone(home: FileWorld) -> None:
    said = canaries(40)
    kept = canaries(40, seed=1)
    await say_all(home, B, kept, 40)
    for number, word in enumerate(said):
        stream = f"conv-{number:03}"
        await say_all(home, stream, [word, word[::-1]], 1)
        await home.happen(stream, "title_assigned", title=f"About {word[::-1]}x")
    take(home, 10)
    for number in range(len(said)):
        await home.erase(streams=[f"conv-{number:03}"])
    assert traces(home, [*said, *(word[::-1] for word in said)]) == set()
    assert traces(home, kept) == set(kept)


async def test_retracted_and_edited_words_are_not_found(home: FileWorld) -> None:
    first, second = canaries(2)
    lines = await home.begin(A, f"one {first}", f"two {second}")
    take(home)
    await home.happen(A, "retracted", messageId=lines[1].id)
    await home.happen(A, "edited", messageId=lines[2].id, content="two")
    assert await home.found(first, second) == []
    assert words_in(home.home.index) == {"two"}


async def test_erased_events_are_gone(home: FileWorld) -> None:
    title, abbreviation, edit = canaries(3)
    lines = await home.begin(A, "words")
    await home.write(
        event(A, "title_assigned", title=title),
        event(A, "abbreviation", text=abbreviation),
        event(A, "edited", messageId=lines[1].id, content=edit),
    )
    assert traces(home, [title, abbreviation, edit]) == {title, abbreviation, edit}
    await home.erase(lines={A: [2, 3, 4]})
    assert traces(home, [title, abbreviation, edit]) == set()
    assert await home.contents() == ["words"]


async def test_words_erased_after_a_rebuild_are_gone(home: FileWorld) -> None:
    said = canaries(60)
    await say_all(home, A, said, 20)
    await home.index.rebuild()
    await home.index.rebuild()
    await home.erase(lines={A: list(range(1, 31))})
    assert traces(home, said[:30]) == set()


async def test_words_erased_while_nobody_follows_are_gone(tmp_path: Path) -> None:
    """As after a crash between the record of an erasure and the index."""
    world = await open_files(tmp_path)
    said = canaries(20)
    await say_all(world, A, said, 1)
    stop_following(world)
    await world.erase(lines={A: [3, 4]})
    await world.close()
    world = await open_files(tmp_path)
    assert traces(world, said[2:4]) == set()
    await world.close()


def stop_following(world: FileWorld) -> None:
    """As if the process that wrote had no index."""

    def ignored(lines: object, pos: int) -> None:
        del lines, pos

    vars(world.index)["apply"] = ignored


# -- planted faults: the search for traces finds them --------------------------------------------


async def test_a_log_that_is_not_emptied_is_noticed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = canaries(10)
    await say_all(home, A, said, 1)
    monkeypatch.setattr(database.Database, "checkpoint", lambda self: True)  # pyright: ignore
    await home.erase(lines={A: [1, 2]})
    assert traces(home, said[:2]) != set()


async def test_pages_that_are_not_overwritten_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pragmas: dict[str, Any] = vars(database)["_PRAGMAS"]
    monkeypatch.setitem(pragmas, "secure_delete", False)
    world = await open_files(tmp_path)
    said = canaries(60)
    await say_all(world, A, said, 60)
    await world.erase(streams=[A])
    assert traces(world, said) != set()
    await world.close()


async def test_a_full_text_that_only_marks_what_is_deleted_is_noticed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = canaries(MESSAGES)
    await say_all(home, A, said, MESSAGES)
    take(home)

    def keep(self: Any, segment: Any, term: str, old: Any, new: Any) -> None:
        """A planted fault: the posting stays, and only the columns say that a piece is gone."""

    monkeypatch.setattr(segments.Segments, "replace", keep)
    await home.erase(lines={A: [1]})
    assert traces(home, said[:1]) != set()
