"""Segments: words come into them, are merged, and leave them, and no answer changes by that."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaver.errors import IndexUnavailable
from palaver.index import attendant
from palaver.index.faults import Failed
from palaver.index.fulltext import merging, shelf, words
from palaver.index.fulltext.merging import Merging, to_merge
from palaver.index.fulltext.segments import NOTHING, Mark, Segment, Segments, ready
from palaver.index.fulltext.words import FullText, Waiting
from palaver.index.pieces import COLUMNS, Batch, Posting
from palaver.index.sqlite import asking
from palaver.index.sqlite.statements import QUERIES
from palaver.index.stored.asking import Asking
from palaver.ledger.lines import meta, turn
from tests.index.dumps import dump, terms_in
from tests.index.handling import database, leave_half, marks, merge, merging_of, run, take, waiting
from tests.index.test_sqlite_erasure import canaries, traces
from tests.index.worlds import USER, A, B, FileWorld, open_files

ANSWERS = ("tea", "cake", "number3", "running", "harbour")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keeper leaves alone what is counted here, however slow the day."""
    monkeypatch.setattr(attendant, "GRACE", 3600.0)


async def talk(world: FileWorld, stream: str = A, messages: int = 40) -> None:
    said = [
        turn(stream, "user" if n % 2 else "assistant", f"number{n}: tea and cake, running the {n}")
        for n in range(messages)
    ]
    await world.write(meta(stream, user=USER), *said)


async def answers(world: FileWorld) -> list[list[str]]:
    return [await world.found(word) for word in ANSWERS]


def digests(world: FileWorld) -> list[bool]:
    """Whether each segment's digest is that of its postings."""
    found: list[bool] = []
    with database(world) as opened, opened.reading():
        segments = Segments(opened, QUERIES)
        for mark in segments.marks():
            stored = segments.get(mark.no)
            assert stored is not None
            seen = Segment(mark.no, stored.columns)
            for term, posting in segments.postings(mark.no):
                seen.mix(term, posting)
            found.append(seen.digest == stored.digest != NOTHING)
    return found


def yes(*_: object) -> bool:
    """A planted fault."""
    return True


def all_of_them(_: FullText, waiting: list[Waiting]) -> list[Waiting]:
    """A planted fault."""
    return waiting


# -- taking --------------------------------------------------------------------------------------


async def test_taking_changes_no_answer(home: FileWorld) -> None:
    await talk(home)
    await home.say(A, "tool", "harbour")
    before, rows = await answers(home), dump(home.home.index)
    assert (waiting(home), marks(home)) == (41, [])
    assert take(home, 7) == 41
    assert (waiting(home), len(marks(home))) == (0, 6)
    assert await answers(home) == before
    assert dump(home.home.index) == rows
    assert await home.index.verify() == []


async def test_a_search_sees_what_waits_and_what_is_taken(home: FileWorld) -> None:
    await home.begin(A)
    for number in range(30):  # more often than parts of what waits are kept apart
        await home.say(A, "user", f"tea {number}")
        assert len(await home.found("tea")) == number + 1
        if number % 7 == 6:
            take(home, 3)
    assert await home.index.verify() == []


async def test_long_messages_are_taken_in_portions(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "AT_ONCE", 1000)
    await home.begin(A, *(f"tea {number} " * 50 for number in range(10)))  # 300 bytes each
    before = await home.found("tea")
    assert take(home) == 10
    assert len(marks(home)) == 3
    assert await home.found("tea") == before
    assert await home.index.verify() == []


async def test_what_is_long_is_not_cut_again_because_of_what_is_short(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[int] = []
    batches: Any = shelf.batches

    def counted(messages: Any) -> Any:
        cut.append(sum(len(message.content) for message in messages))
        return batches(messages)

    monkeypatch.setattr(shelf, "batches", counted)
    await home.begin(A, "long " * 2000)
    assert len(await home.found("long")) == 1
    for number in range(40):
        await home.say(A, "user", "tea")
        assert len(await home.found("tea")) == number + 1
    assert max(cut[1:]) < 1000
    assert len(await home.found("long")) == 1


async def spoken(world: FileWorld) -> list[str]:
    """The languages of what was said: a question about words."""
    asked: Asking = vars(world.index)["_asking"]
    return await asyncio.to_thread(asked.ask, lambda answers: answers.languages(None), words=True)


@pytest.mark.parametrize("limit", ["MANY", "MUCH"])
async def test_who_asks_for_words_takes_them_when_very_many_wait(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    await talk(home)
    assert await spoken(home) == ["en"]
    assert waiting(home) == 40
    monkeypatch.setattr(asking, limit, 40)
    assert await spoken(home) == ["en"]
    assert (waiting(home), len(marks(home))) == (0, 1)
    assert await home.index.verify() == []


async def test_a_disk_that_is_full_does_not_keep_words_from_being_found(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> int:
        raise Failed("The disk is full.", "Free some space.")

    await talk(home)
    monkeypatch.setattr(asking, "MANY", 1)
    monkeypatch.setattr(FullText, "take", fails)
    assert await spoken(home) == ["en"]
    assert len(await home.found("tea")) == 40


async def test_nothing_is_to_be_taken(home: FileWorld) -> None:
    assert take(home) == 0
    await home.begin(A, "tea")
    take(home)
    run(home, "INSERT INTO waiting VALUES (12345)")  # a message that is not there
    assert take(home) == 0


CHANGES: dict[str, Callable[[FileWorld, Any], Any]] = {
    "erased": lambda world, lines: world.erase(lines={A: [1]}),
    "deleted": lambda world, lines: world.erase(streams=[A]),
    "edited": lambda world, lines: world.happen(
        A, "edited", messageId=lines[1].id, content="other words"
    ),
    "superseded": lambda world, lines: world.happen(A, "superseded", messageId=lines[1].id),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_message_is_changed_while_its_words_are_taken(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (word,) = canaries(1)
    lines = await home.begin(A, f"tea {word}", "yes")
    await home.begin(B, "more tea")
    loop = asyncio.get_running_loop()
    batches: Any = words.batches
    changed = threading.Event()

    def made(messages: Any) -> Any:
        found = list(batches(messages))
        if threading.current_thread().name == "taking" and not changed.is_set():
            changed.set()
            asyncio.run_coroutine_threadsafe(CHANGES[change](home, lines), loop).result(20)
        return found

    monkeypatch.setattr(words, "batches", made)
    thread = threading.Thread(target=take, args=(home,), name="taking")
    thread.start()
    await asyncio.to_thread(thread.join)
    assert changed.is_set()
    assert waiting(home) == 0
    assert word not in terms_in(home.home.index)
    assert await home.found(word) == []
    assert await home.found("more") == ["more tea"]
    assert await home.index.verify() == []
    if change in ("erased", "deleted"):
        assert traces(home, [word]) == set()


async def test_taking_without_looking_again_is_noticed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FullText, "_those_waiting", all_of_them)
    with pytest.raises(AssertionError):
        await test_a_message_is_changed_while_its_words_are_taken(home, monkeypatch, "erased")


def test_a_posting_is_written_out_once() -> None:
    """There are millions of them in a rebuild."""
    written: list[bytes] = []

    class Column:
        def __init__(self, value: bytes) -> None:
            self._value = value

        def tobytes(self) -> bytes:
            written.append(self._value)
            return self._value

    columns: Any = (Column(b"pieces"), Column(b"counts"))
    batch = Batch(np.zeros(0, COLUMNS), {"tea": Posting(*columns)})
    assert ready(batch).postings == [("tea", b"pieces", b"counts")]
    assert written == [b"pieces", b"counts"]


# -- erasing -------------------------------------------------------------------------------------


async def test_digests_follow_what_is_erased(home: FileWorld) -> None:
    await talk(home)
    await talk(home, B)
    take(home, 30)
    before = marks(home)
    assert all(digests(home))
    await home.erase(lines={A: [3, 4, 9]})
    assert all(digests(home))
    assert {mark.no for mark in marks(home)} == {mark.no for mark in before}
    assert sum(mark.pieces for mark in marks(home)) == 77
    assert marks(home) != before  # another stamp: nobody answers from what they remember
    await home.erase(streams=[B])
    assert all(digests(home))
    assert sum(mark.pieces for mark in marks(home)) == 37
    assert await home.index.verify() == []


async def test_a_segment_of_which_everything_is_erased_is_gone(home: FileWorld) -> None:
    await home.begin(A, "tea", "cake")
    take(home)
    await home.erase(lines={A: [1, 2]})
    assert (marks(home), terms_in(home.home.index)) == ([], set())


async def test_erased_words_leave_every_table(tmp_path: Path) -> None:
    """Those that wait, those in segments, in old and in half-written ones; pages and the log."""
    world = await open_files(tmp_path)
    said = canaries(400)
    await world.write(meta(A, user=USER), *(turn(A, "user", f"Take {w} away") for w in said))
    take(world, 50)
    merge(world)
    late = canaries(20, seed=1)
    await world.write(*(turn(A, "user", f"Take {word} away") for word in late))
    await world.index.settle()
    leave_half(world)
    erased = [*said[::3], *late[::3]]
    for word in erased:
        await world.erase(lines={A: [[*said, *late].index(word) + 1]})
        assert traces(world, [word]) == set(), word
    assert traces(world, [*said, *late]) == {*said, *late} - {*erased}
    assert await world.index.verify() == []
    await world.close()
    assert traces(world, erased) == set()


async def test_half_written_rows_that_stay_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Segments, "sweep_all", yes)
    with pytest.raises(AssertionError):
        await test_erased_words_leave_every_table(tmp_path)


async def test_what_is_to_be_erased_is_not_where_it_should_be(home: FileWorld) -> None:
    """Nobody says that words are erased when some of them may be left."""
    await talk(home)
    take(home)
    run(home, "DELETE FROM postings WHERE term = 'number3'")
    await home.erase(lines={A: [4]})
    await home.index.settle()
    assert await home.found("number3") == []
    assert len(await home.found("tea")) == 39
    assert await home.index.verify() == []


# -- damage --------------------------------------------------------------------------------------

DAMAGE = {
    "columns": "UPDATE segments SET columns = zeroblob(length(columns))",
    "shorter columns": "UPDATE segments SET columns = substr(columns, 1, 44)",
    "number": "UPDATE segments SET no = no + 1",
    "pieces": "UPDATE segments SET pieces = 1",
    "half a posting": "UPDATE postings SET counts = x'' WHERE term = 'tea'",
    "a posting beyond the end": "UPDATE postings SET pieces = x'ffff', counts = x'01'",
    "counts of nothing": "UPDATE postings SET counts = zeroblob(length(counts))",
    "a table gone": "DROP TABLE postings",
    "a message that waits": "UPDATE messages SET content = 'te' WHERE content = 'late tea'",
    "the role of one that waits": "UPDATE messages SET role = 'usex' WHERE content = 'late tea'",
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_damage_is_never_an_empty_answer(tmp_path: Path, damage: str) -> None:
    world = await open_files(tmp_path)
    await talk(world)
    take(world)
    await world.say(A, "user", "late tea")
    await world.close()
    run(world, DAMAGE[damage])
    world = await open_files(tmp_path)
    with pytest.raises(IndexUnavailable):
        await world.found("tea")
    await world.index.settle()
    assert len(await world.found("tea")) == 41
    assert await world.index.verify() == []
    await world.close()


# -- merging -------------------------------------------------------------------------------------


def test_which_segments_are_merged() -> None:
    def sizes(*pieces: int) -> list[int]:
        given = [Mark(no, no, size) for no, size in enumerate(pieces)]
        return [mark.pieces for mark in to_merge(given)]

    assert sizes() == []
    assert sizes(*[5] * 3) == []
    assert sizes(*[5] * 4) == [5] * 4
    assert sizes(*[5] * 3, 600, 40_000) == []
    assert sizes(*[5] * 5, *[500] * 4) == [5] * 5
    assert sizes(*[30_000] * 8) == [30_000] * 2
    assert sizes(*[40_000] * 20) == []


async def test_merging_changes_no_answer(home: FileWorld) -> None:
    home.index._keeper.stop()  # pyright: ignore[reportPrivateUsage] - it merges, too
    await talk(home, messages=100)
    await home.begin(B, "harbour", "tea")
    take(home, 5)
    await home.erase(lines={A: [7, 8, 40]})
    before, rows = await answers(home), dump(home.home.index)
    assert len(marks(home)) == 21
    merge(home)
    assert len(marks(home)) < 8
    assert await answers(home) == before
    assert dump(home.home.index) == rows
    assert all(digests(home))
    assert await home.index.verify() == []
    pieces = {mark.no: mark.pieces for mark in marks(home)}
    assert {no for (no,) in run(home, "SELECT DISTINCT segment FROM postings")} == pieces.keys()
    assert sum(pieces.values()) == 99


async def interrupted(world: FileWorld, what: Callable[[], None]) -> None:
    """Merges; `what` happens after the first rows of the new segment were read."""
    done: list[bool] = []
    terms: Any = vars(Merging)["_terms"]

    def some(self: Merging, *given: Any) -> Any:
        for number, one in enumerate(terms(self, *given)):
            if number == 5 and not done:
                done.append(True)
                what()
            yield one

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(merging, "_TERMS", 3)
        patched.setattr(Merging, "_terms", some)
        await asyncio.to_thread(merge, world)
    assert done


async def test_words_are_erased_in_the_middle_of_a_merge(home: FileWorld) -> None:
    said = canaries(48)
    await home.write(meta(A, user=USER), *(turn(A, "user", f"tea {word}") for word in said))
    take(home, 6)
    loop = asyncio.get_running_loop()

    def erase() -> None:
        gone = home.erase(lines={A: list(range(1, 49, 2))})
        asyncio.run_coroutine_threadsafe(gone, loop).result(20)

    await interrupted(home, erase)
    assert traces(home, said[::2]) == set()
    assert traces(home, said) == set(said[1::2])
    assert len(await home.found("tea")) == 24
    assert len(marks(home)) < 8
    assert await home.index.verify() == []


async def test_a_merge_that_does_not_look_again_is_noticed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Merging, "_are_there", yes)
    with pytest.raises(AssertionError):
        await test_words_are_erased_in_the_middle_of_a_merge(home)


async def test_only_one_process_merges_at_a_time(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(home, messages=48)
    take(home, 6)
    begun: list[int] = []
    number: Any = merging.new_number

    def counted() -> int:
        begun.append(number())
        return begun[-1]

    monkeypatch.setattr(merging, "new_number", counted)

    def other() -> None:
        with database(home) as opened:
            assert not merging_of(opened).step()
            assert not merging_of(opened).sweep()

    await interrupted(home, other)
    assert begun == [mark.no for mark in marks(home)]


async def test_another_process_sweeps_what_is_half_written(home: FileWorld) -> None:
    await talk(home, messages=48)
    take(home, 6)
    before, rows = await answers(home), dump(home.home.index)

    def sweep() -> None:
        with database(home) as other, other.writing():
            Segments(other, QUERIES).sweep_all()

    await interrupted(home, sweep)
    assert await answers(home) == before
    assert dump(home.home.index) == rows
    assert len(marks(home)) < 8
    assert await home.index.verify() == []


async def test_two_processes_merge_at_once(home: FileWorld) -> None:
    await talk(home, messages=48)
    take(home, 6)
    rows = dump(home.home.index)
    await interrupted(home, lambda: merge(home))
    assert dump(home.home.index) == rows
    assert len(marks(home)) < 8
    assert await home.index.verify() == []


async def test_what_a_merge_left_half_written_is_swept_at_the_next_start(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await talk(world)
    take(world)
    leave_half(world)
    await world.close()
    world = await open_files(tmp_path)
    await world.index.settle()
    assert run(world, "SELECT count(*) FROM postings WHERE segment = 77") == [(0,)]
    assert await world.index.verify() == []
    await world.close()
