"""The report of a start: what a process that died has left, and what was done about it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.engines import StartReport
from palaver.errors import StorageFailed
from palaver.ledger.files import FileLedger, FileStore, Home, erasing
from palaver.ledger.lines import turn
from palaver.settings import Settings
from tests.conversation.scripted import Gate, answer_by
from tests.library import Clock


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return Settings.load(tmp_path, user__timezone="UTC")


def opened(settings: Settings, clock: Clock) -> Palaver:
    return Palaver.open(settings=settings, clock=clock, index_vectors=False)


async def talk(settings: Settings, clock: Clock) -> str:
    """A conversation of two messages, in a library that is closed again."""
    async with opened(settings, clock) as palaver:
        conversation = await palaver.start()
        await palaver.append(conversation.id, "user", "Where are the xylophones?")
        await palaver.append(conversation.id, "assistant", "In the attic.")
        return conversation.id


async def start(settings: Settings, clock: Clock) -> StartReport:
    async with opened(settings, clock) as palaver:
        return await palaver.started()


async def test_when_all_is_in_order_nothing_is_read(kept: Settings, clock: Clock) -> None:
    await talk(kept, clock)
    report = await start(kept, clock)
    assert report.milliseconds > 0
    assert report == StartReport(digests_queued=0, milliseconds=report.milliseconds)


async def test_a_new_library_has_nothing_to_mend(kept: Settings, clock: Clock) -> None:
    report = await start(kept, clock)
    assert report.rebuild == "done"
    assert (report.streams_read, report.lines_caught_up, report.torn_ends_mended) == (0, 0, 0)


async def test_messages_that_waited_are_counted(kept: Settings, clock: Clock) -> None:
    async with opened(kept, clock) as palaver:
        gate = answer_by(palaver, Gate())
        conversation = await palaver.start()
        sending = asyncio.create_task(palaver.send("Hello", conversation_id=conversation.id))
        await gate.waiting.wait()
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    async with opened(kept, clock) as palaver:
        assert (await palaver.started()).messages_answered == 0
        assert await palaver.answer_waiting() == 1
        assert (await palaver.started()).messages_answered == 1
        await palaver.finish_replies()


# -- in a home -----------------------------------------------------------------------------------


async def test_a_torn_end_is_mended(home: Settings, clock: Clock) -> None:
    name = await talk(home, clock)
    with Home(home.home).stream(name).open("ab") as end:
        end.write(b'{"half')
    report = await start(home, clock)
    assert (report.streams_read, report.torn_ends_mended, report.lines_caught_up) == (1, 1, 0)
    assert (await start(home, clock)).torn_ends_mended == 0


async def test_lines_that_could_not_be_found_are_caught_up_with(
    home: Settings, clock: Clock
) -> None:
    name = await talk(home, clock)
    await talk(home, clock)
    ledger = FileLedger(FileStore(Home(home.home)), None, clock)
    await ledger.append([turn(name, "user", text) for text in ("One.", "Two.", "Three.")])
    await ledger.close()
    report = await start(home, clock)
    assert (report.streams_read, report.lines_caught_up, report.rebuild) == (1, 3, "none")


async def test_an_erasure_is_finished(
    home: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await talk(home, clock)
    async with opened(home, clock) as palaver:
        asked = (await palaver.messages(name)).messages[0]

        def fails(*given: object) -> int:
            raise OSError("the disk is gone")

        with monkeypatch.context() as broken:
            broken.setattr(erasing, "enforce", fails)
            with pytest.raises(StorageFailed):
                await palaver.redact(name, asked.id)
    assert b"xylophones" in Home(home.home).stream(name).read_bytes()
    assert (await start(home, clock)).redactions_finished == 1
    assert b"xylophones" not in Home(home.home).stream(name).read_bytes()
    assert (await start(home, clock)).redactions_finished == 0


async def test_what_was_edited_is_told_anew(home: Settings, clock: Clock) -> None:
    path = Home(home.home).stream(await talk(home, clock))
    path.write_bytes(path.read_bytes().replace(b"xylophones", b"large xylophones", 1))
    report = await start(home, clock)
    assert (report.streams_made_again, report.lines_caught_up) == (1, 3)


async def test_a_missing_index_is_made(home: Settings, clock: Clock) -> None:
    await talk(home, clock)
    for part in Home(home.home).index.parent.glob("conversations.db*"):
        part.unlink()
    assert (await start(home, clock)).rebuild == "done"


# -- in a database -------------------------------------------------------------------------------


async def test_rows_that_are_behind_catch_up(
    database_url: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.load(
        tmp_path, user__timezone="UTC", database__url=database_url, jobs__worker=False
    )
    name = await talk(settings, clock)

    def fails(*given: object) -> None:
        raise RuntimeError("the rows cannot be written")

    def ignored(*given: object) -> None:
        pass

    with monkeypatch.context() as broken:
        broken.setattr("palaver.index.postgres.follower.IndexFollower.apply", fails)
        broken.setattr("palaver.index.postgres.follower.IndexFollower.behind", ignored)
        async with opened(settings, clock) as palaver:
            drafts = [turn(name, "user", text) for text in ("One.", "Two.")]
            await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
    report = await start(settings, clock)
    assert (report.streams_read, report.lines_caught_up, report.rebuild) == (1, 2, "none")
