"""The days of the continuous conversation are told by themselves, in files and in a database."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.errors import Erased, ModelTimeout
from palaver.ledger.lines import Line
from tests.conversation.test_lifecycle import QUICKLY, World
from tests.digest.days.makers import PlainDays

SATURDAY, SUNDAY = "2026-02-14", "2026-02-15"


@pytest.fixture(params=["files", "database"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    in_database = request.param == "database"
    return World(tmp_path, request.getfixturevalue("database_url") if in_database else None)


async def events(palaver: Palaver, name: str, kind: str = "day_summary") -> list[Line]:
    return [line for line in await palaver.lines(name) if line.event == kind]


async def until(palaver: Palaver, name: str, count: int) -> list[Line]:
    """The summaries, when there are so many."""
    for _ in range(1500):
        if len(found := await events(palaver, name)) >= count:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError


async def test_a_night_that_was_missed_is_made_up_for_at_the_next_start(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("The heron is back.", conversation_id=name)
        await palaver.settle()
        assert await events(palaver, name) == []
    world.clock.advance(days=3)
    async with world.open() as palaver:
        await palaver.settle()
        (told,) = await events(palaver, name)
        assert (told.data["day"], told.data["reason"]) == (SATURDAY, "night")
        assert len(await events(palaver, name, "day_closed")) == 1
        assert await palaver.jobs() == []
        found = await palaver.conversation(name)
        assert (found.title, found.abbreviation) == (None, None)
        assert await events(palaver, name, "abbreviation") == []


async def test_the_night_comes_while_it_runs(world: World) -> None:
    async with world.open(QUICKLY) as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("The heron is back.", conversation_id=name)
        world.clock.advance(days=1)
        await until(palaver, name, 1)


async def test_after_ten_messages_the_day_is_told(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        for number in range(5):
            assert await events(palaver, name) == []
            await palaver.send(f"Heron number {number}.", conversation_id=name)
        (told,) = await until(palaver, name, 1)
        assert told.data["reason"] == "messages"
        await palaver.settle()
        assert len(await events(palaver, name)) == 1


async def test_much_text_is_told_before_ten_messages(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("A long tale of herons. " * 700, conversation_id=name)
        (told,) = await until(palaver, name, 1)
        assert told.data["reason"] == "tokens"


async def test_one_day_is_told_when_somebody_asks(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("The heron is back.", conversation_id=name)
        (digests,) = palaver._orders.digests  # pyright: ignore[reportPrivateUsage]
        digests.day(palaver.user, name, SATURDAY, "asked")
        digests.day(palaver.user, name, SUNDAY, "asked")  # there is no such day
        await digests.settle()
        (told,) = await events(palaver, name)
        assert told.data["reason"] == "asked"


async def test_when_the_model_fails_the_night_is_tried_again_later(world: World) -> None:
    model = PlainDays(by="haiku", error=ModelTimeout())
    world.day_model = model
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("The heron is back.", conversation_id=name)
        world.clock.advance(days=1)
        await palaver.settle()
        (told,) = await events(palaver, name)
        assert told.data["standsInFor"] == "haiku"
        (job,) = await palaver.jobs()
        assert job.state == "failed"
        model.error = None
        world.clock.advance(minutes=6)
        await palaver.settle()
        assert [line.data["by"] for line in await events(palaver, name)] == ["offline", "haiku"]
        assert await palaver.jobs() == []


async def test_a_closed_day_is_told_again_when_its_last_message_is_edited(world: World) -> None:
    """At once, by a job, and the page says so."""
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        sent = await palaver.send("We decided to take the blue boat.", conversation_id=name)
        world.clock.advance(days=1)
        await palaver.settle()
        assert (await palaver.continuous.day(SATURDAY)).closed
        await palaver.edit(name, sent.reply.reply_to or "", "We decided to take the red boat.")
        found = await palaver.continuous.day(SATURDAY)
        assert found.summary_due or "red boat" in found.summary_markdown
        await palaver.settle()
        found = await palaver.continuous.day(SATURDAY)
        assert "red boat" in found.summary_markdown
        assert "blue boat" not in found.summary_markdown
        assert not found.summary_due
        assert await palaver.jobs() == []


async def test_a_day_that_nothing_told_of_is_not_told_for_an_edit(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        sent = await palaver.send("We decided to take the blue boat.", conversation_id=name)
        await palaver.edit(name, sent.reply.reply_to or "", "We decided to take the red boat.")
        await palaver.settle()
        assert await events(palaver, name) == []
        assert not (await palaver.continuous.day(SATURDAY)).summary_due


async def test_own_lines_stay_when_something_is_erased_and_the_day_is_made_again(
    world: World,
) -> None:
    """The versions that would tell whose a line is are gone with the message."""
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        heron = (await palaver.append(name, "user", "The heron is back.")).id
        await palaver.append(name, "user", "The kettle sings.")
        world.clock.advance(days=1)
        await palaver.settle()
        told = (await palaver.continuous.day(SATURDAY)).summary_markdown
        assert "heron" in told
        await palaver.continuous.edit(SATURDAY, f"{told}\n\n## Mine\n- A quiet, good evening.")
        await palaver.redact(name, heron)
        for _ in range(2):
            await palaver.continuous.regenerate(SATURDAY)
            await palaver.finish_summaries()
            text = (await palaver.continuous.day(SATURDAY)).summary_markdown
            assert "heron" not in text
            assert text.count("The kettle sings.") == 1
            assert text.endswith("## Mine\n- A quiet, good evening.")


async def test_what_cannot_be_told_again_is_not_tried_again_and_again(world: World) -> None:
    async with world.open() as palaver:
        name = (await palaver.continuous.ensure()).id
        await palaver.send("A secret.", conversation_id=name)
        world.clock.advance(days=1)
        await palaver.send("The heron is back.", conversation_id=name)
        (digests,) = palaver._orders.digests  # pyright: ignore[reportPrivateUsage]
        digests.day(palaver.user, name, SUNDAY, "asked")
        await digests.settle()
        await palaver.settle()
        assert len(await events(palaver, name)) == 2
        for message in await palaver.fetch(name, first=1, last=1):
            with suppress(Erased):  # the reply may quote what is erased already
                await palaver.redact(name, message.id)
        await palaver.settle()
        assert await palaver.jobs() == []
        assert not any("secret" in str(line.data) for line in await palaver.lines(name))
