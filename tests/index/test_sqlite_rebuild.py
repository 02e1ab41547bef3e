"""Rebuilds: messages are taken all the while, what can be answered is, and nothing is lost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.errors import Erased, IndexRebuilding, NotFound, StreamDamaged
from palaver.index.port import After, OwedFilter, Question, SearchFilter, Where
from palaver.index.records import Health
from palaver.index.stored import rebuild as rebuilding
from palaver.ledger.lines import turn
from tests.index.dumps import dump, terms_in
from tests.index.gates import GatedWorld, open_gated
from tests.index.handling import take
from tests.index.test_sqlite_erasure import canaries, stop_following, traces
from tests.index.worlds import USER, A, B, C, FileWorld, open_files


@pytest.fixture(autouse=True)
def no_ledger_is_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short ledger is read at once; here every one is read bit by bit."""
    monkeypatch.setattr(rebuilding, "_LITTLE", 0)


@pytest.fixture
async def building(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GatedWorld]:
    """An index without rows: it has been deleted, and its rebuild stands at the gate."""
    world = await open_gated(tmp_path)
    await world.begin(A, "one tea", "two", channel="email", title="Numbers")
    await world.happen(A, "title_assigned", title="New numbers", topics=["n"], by="user")
    await world.begin(B, "three", "four")
    await world.happen(B, "archived")
    await world.begin(C, *(f"message {n}" for n in range(40)))
    await world.close()
    world.home.index.unlink()
    monkeypatch.setattr("palaver.index.stored.rebuilds._MOMENT", 0)
    world = await open_gated(tmp_path, shut=True)
    world.wait_until_stopped()
    yield world
    world.let_go()
    await world.close()


async def finished(world: GatedWorld) -> None:
    """The rebuild ends well, and gives what any other rebuild gives."""
    world.let_go()
    await world.index.settle()
    assert world.index.health().status == "ok"
    assert await world.index.verify() == []
    rows = dump(world.home.index)
    await world.index.rebuild()
    assert dump(world.home.index) == rows


# -- while rows are missing ----------------------------------------------------------------------


async def test_the_list_is_there_at_once(building: GatedWorld) -> None:
    assert building.index.health().status == "rebuilding"
    sketched = [await building.conversation(stream) for stream in (A, B, C)]
    assert await building.listed() == [C, A]
    assert await building.listed(archived=True) == [B]
    assert await building.listed(title_contains="new") == [A]
    await finished(building)
    assert [await building.conversation(stream) for stream in (A, B, C)] == sketched


async def test_messages_are_read_from_the_ledger(building: GatedWorld) -> None:
    assert await building.contents(A) == ["one tea", "two"]
    page = await building.index.messages(USER, C, Where(), limit=2)
    assert [message.content for message in page.messages] == ["message 38", "message 39"]
    assert page.has_more
    message = page.messages[0]
    assert await building.index.message(USER, C, message.id) == message
    assert message in await building.index.turns(USER, C, 20, 20)
    assert (await building.contents(C, after=message.id)) == ["message 39"]
    for stream, where in ((C, "msg-nobody"), ("conv-nobody", message.id)):
        with pytest.raises(NotFound):
            await building.index.message(USER, stream, where)
        with pytest.raises(NotFound):
            await building.messages(stream, around=where)
    await finished(building)
    assert await building.index.messages(USER, C, Where(), limit=2) == page


async def test_how_a_conversation_stands_is_read_from_the_ledger(building: GatedWorld) -> None:
    wanted = OwedFilter("9999", turns=5, lag=60, stand_ins=True)
    sketched = [(await building.conversation(s)).needs_abbreviation for s in (A, B, C)]
    stands = [await building.index.standing(USER, stream) for stream in (A, B, C)]
    assert sketched == [one.conversation.needs_abbreviation for one in stands]
    assert await building.index.owed(USER, wanted, limit=9) == []
    assert await building.index.titles(USER, ["NEW NUMBERS", "new"]) == {"NEW NUMBERS"}
    with pytest.raises(NotFound):
        await building.index.standing(USER, "conv-nobody")
    await finished(building)
    assert [await building.index.standing(USER, stream) for stream in (A, B, C)] == stands
    found = await building.index.owed(USER, wanted, limit=9)
    assert sorted(found, key=lambda one: one.conversation.id) == stands
    assert building.index.undigested(wanted, limit=9) == found
    after = After(found[0].heard, found[0].conversation.id)
    assert building.index.undigested(wanted, after=after, limit=1) == found[1:2]


async def test_what_needs_every_row_says_that_it_has_to_wait(building: GatedWorld) -> None:
    index = building.index
    for question in (
        lambda: index.evidence(USER, Question([]), SearchFilter()),
        lambda: index.languages(USER),
        lambda: index.at(USER, [(A, 1)]),
        lambda: index.shown(USER, [], [(A, 1)]),
        lambda: index.dependents(USER, ["msg-x"]),
        lambda: index.find(USER, ["msg-x"]),
        lambda: index.reply_to(USER, "msg-x"),
    ):
        with pytest.raises(IndexRebuilding):
            await question()
    await finished(building)
    assert await building.found("tea") == ["one tea"]


async def test_messages_are_taken_and_seen(building: GatedWorld) -> None:
    await building.say(A, "user", "new tea", timestamp="2027-01-01T00:00:00Z")
    await building.say(B, "user", "opens the archive", timestamp="2027-01-02T00:00:00Z")
    await building.begin("conv-D", "first words", title="Fourth")
    await building.happen("conv-D", "title_assigned", title="Renamed", by="user")
    assert await building.contents(A) == ["one tea", "two", "new tea"]
    assert await building.contents("conv-D") == ["first words"]
    assert set(await building.listed()) == {A, B, C, "conv-D"}
    assert (await building.listed())[:2] == [B, A]
    assert (await building.conversation("conv-D")).title == "Renamed"
    assert (await building.conversation(A)).turn_count == 2
    await finished(building)
    assert set(await building.found("tea", "words")) == {"one tea", "new tea", "first words"}


async def test_keys_hold(building: GatedWorld) -> None:
    first = await building.say(A, "user", "keyed", key="api:1")
    (again,) = await building.ledger.append([turn(A, "user", "keyed", key="api:1")])
    assert again.replayed
    await building.erase(lines={A: [first.seq]})
    with pytest.raises(Erased):
        await building.say(A, "user", "keyed", key="api:1")
    await finished(building)
    with pytest.raises(Erased):
        await building.say(A, "user", "keyed", key="api:1")


async def test_what_is_erased_meanwhile_stays_erased(building: GatedWorld) -> None:
    await building.erase(lines={A: [1]})
    title = 3
    await building.erase(lines={A: [title]}, streams=[B])
    assert await building.contents(A) == ["", "two"]
    assert (await building.conversation(A)).title == "Numbers"
    assert set(await building.listed()) == {A, C}
    with pytest.raises(NotFound):
        await building.conversation(B)
    assert traces(building, ["one tea and more", "New numbers and more"]) == set()
    await finished(building)
    assert await building.contents(A) == ["", "two"]
    assert await building.found("tea", "three") == []
    with pytest.raises(NotFound):
        await building.conversation(B)


async def test_it_is_deleted_again(building: GatedWorld) -> None:
    building.home.index.unlink()
    assert await building.contents(A) == ["one tea", "two"]
    building.let_go()
    await building.index.settle()
    assert await building.found("tea") == ["one tea"]
    await finished(building)


async def test_it_goes_on_after_a_stop(tmp_path: Path, building: GatedWorld) -> None:
    building.let_go()
    await building.close()
    world = await open_files(tmp_path)
    await world.index.settle()
    assert await world.found("tea") == ["one tea"]
    assert await world.index.verify() == []
    await world.close()


# -- while all rows are there --------------------------------------------------------------------


async def test_a_rebuild_on_request_disturbs_nobody(tmp_path: Path) -> None:
    world = await open_gated(tmp_path)
    for number in range(30):
        await world.begin(f"conv-{number:02}", f"tea {number}", "yes")
    world.shut()
    reports: list[Health] = []
    rebuild = asyncio.create_task(world.index.rebuild(reports.append))
    await asyncio.to_thread(world.wait_until_stopped)
    assert world.index.health().status == "rebuilding"
    assert await world.found("tea")
    assert len(await world.listed()) == 30
    await world.say("conv-03", "user", "more tea")
    await world.erase(lines={"conv-04": [1]}, streams=["conv-05"])
    await world.begin("conv-99", "late tea")
    assert await world.found("late") == ["late tea"]
    world.let_go()
    await rebuild
    assert world.index.health().status == "ok"
    assert reports
    assert reports[-1].done <= reports[-1].total
    assert reports[-1].total > 0
    found = set(await world.found("tea"))
    assert found == {f"tea {n}" for n in range(30) if n not in (4, 5)} | {"more tea", "late tea"}
    assert await world.index.verify() == []
    await finished(world)
    await world.close()


@pytest.mark.parametrize(("waiting", "much"), [(2, 1 << 40), (2, 0), (1000, 1 << 40)])
async def test_words_erased_during_a_rebuild_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int, much: int
) -> None:
    """Each time the rebuild has read some lines, some of them are erased before it stores them."""
    monkeypatch.setattr(rebuilding, "_WAITING", waiting)  # so many make a segment
    monkeypatch.setattr(rebuilding, "_MUCH", much)
    monkeypatch.setattr("palaver.index.stored.portions._LINES", 7)
    world = await open_files(tmp_path)
    said = canaries(60)
    streams = [f"conv-{number:02}" for number in range(20)]
    for number, stream in enumerate(streams):
        await world.begin(stream, *said[number * 3 : number * 3 + 3])
    loop = asyncio.get_running_loop()
    erased: list[str] = []
    store: Any = vars(rebuilding.Rebuild)["_store"]

    def erase_first(self: rebuilding.Rebuild, tables: object, parts: object, seen: int) -> bool:
        if len(erased) < 20:
            number = len(erased)
            erased.append(said[number * 3])
            step = world.erase(lines={streams[number]: [1]})
            asyncio.run_coroutine_threadsafe(step, loop).result(20)
            assert traces(world, erased) == set()
        stored: bool = store(self, tables, parts, seen)
        assert traces(world, erased) == set()
        return stored

    monkeypatch.setattr(rebuilding.Rebuild, "_store", erase_first)
    await world.index.rebuild()
    assert len(erased) == 20
    assert traces(world, said) == set(said) - set(erased)
    rows = dump(world.home.index)
    await world.index.rebuild()
    assert dump(world.home.index) == rows
    await world.close()


@pytest.fixture
def no_sweeping(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every process died as soon as the new rows had taken their place."""

    def die(self: rebuilding.Rebuild) -> None:
        raise rebuilding.Stopped

    monkeypatch.setattr(rebuilding.Rebuild, "clean_up", die)


@pytest.mark.usefixtures("no_sweeping")
async def test_words_erased_before_old_rows_are_swept_are_gone(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    said = canaries(30)
    await world.begin(A, *said)
    take(world)
    await world.index.rebuild()
    assert set(said) <= terms_in(world.home.index, "old_")
    await world.erase(lines={A: [1, 2, 3]})
    assert traces(world, said) == set(said[3:])
    assert "old_messages" not in tables(world)
    await world.close()


async def test_old_rows_are_swept_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(rebuilding.Rebuild, "clean_up", lambda self: None)  # pyright: ignore
        world = await open_files(tmp_path)
        await world.begin(A, "tea")
        await world.index.rebuild()
        await world.close()
    assert "old_messages" in tables(world)
    world = await open_files(tmp_path)
    await world.index.settle()
    assert "old_messages" not in tables(world)
    assert await world.found("tea") == ["tea"]
    await world.close()


async def test_an_interrupted_rebuild_goes_on_at_the_next_start(tmp_path: Path) -> None:
    world = await open_gated(tmp_path)
    for number in range(5):
        await world.begin(f"conv-{number}", "tea")
    world.shut()
    rebuild = asyncio.create_task(world.index.rebuild())
    await asyncio.to_thread(world.wait_until_stopped)
    closing = asyncio.create_task(world.index.close())
    await asyncio.sleep(0)
    world.let_go()
    await asyncio.gather(rebuild, closing)
    await world.ledger.close()
    again = await open_files(tmp_path)
    await again.index.settle()
    assert not {name for name in tables(again) if name.startswith(("new_", "old_"))}
    assert len(await again.found("tea")) == 5
    assert await again.index.verify() == []
    await again.close()


def tables(world: FileWorld) -> set[str]:
    connection: Any = apsw.Connection(str(world.home.index))
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    connection.close()
    return found


async def test_many_streams_and_long_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver.index.stored.portions._LINES", 7)
    monkeypatch.setattr("palaver.index.stored.tables._AT_ONCE", 5)
    world = await open_files(tmp_path)
    long = await world.begin(A, *(f"tea {number}" for number in range(60)))
    await world.write(*(turn(A, "user", "x", supersedes=line.id) for line in long[1:20:3]))
    await world.erase(lines={A: [2, 33, 61]})
    for number in range(20):
        await world.begin(f"conv-{number:02}", "cake")
    rows = dump(world.home.index)
    await world.index.rebuild()
    assert dump(world.home.index) == rows
    await world.close()


# -- streams that have lost lines ----------------------------------------------------------------


async def damaged(folder: Path) -> FileWorld:
    """A home in which one file has been cut and another one has gone."""
    world = await open_files(folder)
    await world.begin(A, "one tea", "two tea", title="Cut")
    await world.say(A, "user", "keyed", key="api:1")
    lines = await world.begin(B, "gone tea", title="Gone")
    quote = [{"messageId": lines[1].id, "quote": "tea"}]
    await world.say(B, "assistant", "quoting", sources=quote)
    await world.begin(C, "whole tea")
    await world.close()
    cut = world.file(A).read_bytes().splitlines(keepends=True)
    world.file(A).write_bytes(b"".join(cut[:2]))
    world.file(B).rename(world.home.root / "kept")
    return await open_files(folder)


async def test_lost_lines_are_reported_and_their_rows_are_kept(tmp_path: Path) -> None:
    world = await damaged(tmp_path)
    assert world.index.health().lost == [A, B]
    findings = [(f.code, f.file, f.damage) for f in await world.index.verify()]
    assert findings == [
        ("shortened", f"conversations/{A}.jsonl", True),
        ("vanished", f"conversations/{B}.jsonl", True),
    ]
    assert await world.contents(A) == ["one tea", "two tea", "keyed"]
    assert set(await world.found("tea")) == {"one tea", "two tea", "gone tea", "whole tea"}
    assert [world.index.lost(stream) for stream in (A, B, C)] == [True, True, False]
    for stream in (A, B):
        with pytest.raises(StreamDamaged):
            await world.say(stream, "user", "more")
    await world.close()
    world = await open_files(tmp_path)
    assert world.index.health().lost == [A, B]
    await world.close()


async def test_a_rebuild_keeps_what_is_nowhere_else(tmp_path: Path) -> None:
    world = await damaged(tmp_path)
    rows = dump(world.home.index)
    for _ in range(2):
        await world.index.rebuild()
        assert dump(world.home.index) == rows
    assert world.index.health().lost == [A, B]
    await world.say(C, "assistant", "yes")
    assert await world.contents(B) == ["gone tea", "quoting"]
    await world.close()


async def test_a_file_that_comes_back_is_whole_again(tmp_path: Path) -> None:
    world = await damaged(tmp_path)
    await world.close()
    (world.home.root / "kept").rename(world.file(B))
    world = await open_files(tmp_path)
    assert world.index.health().lost == [A]
    await world.index.rebuild()
    assert world.index.health().lost == [A]
    await world.say(B, "user", "and more")
    assert await world.contents(B) == ["gone tea", "quoting", "and more"]
    await world.close()


async def test_a_deleted_conversation_is_no_loss(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await world.begin(A, "tea")
    stop_following(world)
    await world.erase(streams=[A])
    await world.close()
    world = await open_files(tmp_path)
    assert world.index.health().lost == []
    assert await world.listed() == []
    await world.close()


# -- several processes ---------------------------------------------------------------------------


async def test_two_indexes_follow_one_ledger(tmp_path: Path) -> None:
    first, second = await open_files(tmp_path), await open_files(tmp_path)
    await first.begin(A, "zero tea")
    said = ["zero tea"]
    for number in range(1, 9):
        world = (first, second)[number % 2]
        await world.say(A, "user", f"{number} tea")
        said.append(f"{number} tea")
        for other in (first, second):
            assert await other.contents() == said
            assert set(await other.found("tea")) == set(said)
    first.home.index.unlink()
    await second.say(A, "user", "nine tea")
    await first.say(A, "user", "ten tea")
    for world in (first, second):
        assert await world.contents() == [*said, "nine tea", "ten tea"]
    for world in (first, second):
        await world.index.settle()
        assert set(await world.found("tea")) == {*said, "nine tea", "ten tea"}
    assert world.index.health().status == "ok"
    await first.close()
    await second.close()


_OTHER = """
import asyncio, sys
from pathlib import Path
from tests.index.worlds import open_files

async def main(folder, name):
    world = await open_files(Path(folder))
    await world.begin(f"conv-{name}", "begun")
    for number in range(15):
        await world.say(f"conv-{name}", "user", f"{name} {number} tea")
        await world.say("conv-A", "user", f"{name} {number} in common")
        if number == 7 and name == "x":
            world.home.index.unlink(missing_ok=True)
    await world.index.settle()
    await world.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_processes_share_a_home(tmp_path: Path) -> None:
    world = await open_files(tmp_path)
    await world.begin(A)
    others = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", _OTHER, str(tmp_path), name)
        for name in "xyz"
    ]
    for number in range(15):
        await world.say(A, "user", f"ours {number}")
        await world.listed()
    assert [await other.wait() for other in others] == [0, 0, 0]
    await world.index.settle()
    assert len(await world.contents()) == 60
    assert len(await world.found("common")) == 45
    for name in "xyz":
        assert len(await world.found(name, conversation_id=f"conv-{name}")) == 15
    rows = dump(world.home.index)
    await world.index.rebuild()
    assert dump(world.home.index) == rows
    await world.close()
