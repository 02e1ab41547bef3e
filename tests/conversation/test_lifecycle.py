"""The life of a conversation: named and told by itself, in files and in a database."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from palaver.app import Palaver
from palaver.conversation.digests import DigestWork, pause
from palaver.conversation.records import Change, NewMessage
from palaver.conversation.watching import Watching
from palaver.conversation.workbench import Terms
from palaver.digest.days.summaries import DayMakers
from palaver.digest.digesting import Makers
from palaver.digest.port import Naming, Story
from palaver.engines.background import Background
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.postgres import PostgresEngine
from palaver.errors import ModelTimeout
from palaver.index.records import SummarySource
from palaver.jobs.pace import Pace
from palaver.jobs.work import Desk
from palaver.ledger.files import Home
from palaver.ledger.lines import Line, meta, turn
from palaver.memory.apart import ApartExtractor
from palaver.memory.extracting import Extractors
from palaver.settings import Settings
from palaver.telemetry import Logged
from tests.digest.days.makers import PlainDays
from tests.digest.dialogue import talk, turns
from tests.digest.makers import Plain
from tests.jobs.homes import Still
from tests.jobs.worker import QUICK

DECIDED = "We decided to take the blue tiles, order 4711-B."
_SLOW = Pace(look=60, start=0.01, grace=0.01)
"""Nobody looks for what is due unless a test wants it, or something wakes them."""
QUICKLY = Pace(look=0.01, start=0.0, grace=0.0)


@dataclass
class Bench:
    """Makers of a test."""

    makes: Makers
    days_by: PlainDays | None = None
    closed: int = 0

    def makers(self, desk: Desk) -> Makers:
        return self.makes

    def days(self, desk: Desk) -> DayMakers:
        model = self.days_by
        return DayMakers(PlainDays(), model, model.by if model else "offline")

    def extractors(self) -> Extractors:
        return Extractors(ApartExtractor())

    async def close(self) -> None:
        self.closed += 1


@dataclass
class World:
    """A home or a database, and who digests in it."""

    folder: Path
    url: str | None
    clock: Still = field(default_factory=Still)
    offline: Plain = field(default_factory=Plain)
    model: Plain | None = None
    day_model: PlainDays | None = None
    idle: str = "10m"

    def open(self, pace: Pace = _SLOW) -> Palaver:
        settings = Settings.load(
            self.folder,
            user__timezone="UTC",
            database__url=self.url,
            conversations__idle_timeout=self.idle,
        )
        makers = Makers(self.offline, self.model, self.model.by if self.model else "offline")
        by_model = self.model is not None
        bench = partial(Bench, makers, self.day_model)
        terms = Terms(settings, self.clock, Logged(), bench, by_model)
        work = [DigestWork(terms)]
        if self.url is None:
            home = Home(self.folder)
            engine = EmbeddedEngine(home, "local", None, self.clock, work=work, pace=pace)
        else:
            background = Background(clock=self.clock, pace=QUICK)
            engine = PostgresEngine(self.url, "local", None, self.clock, background, work=work)
        return Palaver(settings, "local", self.clock, engine)


@pytest.fixture(params=["files", "database"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    in_database = request.param == "database"
    return World(tmp_path, request.getfixturevalue("database_url") if in_database else None)


async def events(palaver: Palaver, conversation_id: str, name: str = "abbreviation") -> list[Line]:
    return [line for line in await palaver.lines(conversation_id) if line.event == name]


async def count(palaver: Palaver, conversation_id: str) -> tuple[int, int]:
    """How many abbreviations there are, and how many titles."""
    told = await events(palaver, conversation_id)
    return len(told), len(await events(palaver, conversation_id, "title_assigned"))


async def test_what_is_quiet_is_digested_also_after_a_restart(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.")
        await palaver.settle()
        assert await count(palaver, conversation) == (0, 0)
        world.clock.advance(minutes=9)
        await talk(palaver, "And one more.", "Yes.", conversation_id=conversation)
        world.clock.advance(minutes=9)
        await palaver.settle()
        assert await count(palaver, conversation) == (0, 0)
    world.clock.advance(minutes=1)
    async with world.open() as palaver:
        assert (await palaver.conversation(conversation)).needs_abbreviation
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)
        found = await palaver.conversation(conversation)
        assert found.title == "Tiles for 2 Turns"
        assert found.abbreviation
        assert DECIDED in found.abbreviation
        assert not found.needs_abbreviation
        assert await palaver.jobs() == []
        world.clock.advance(days=2)
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)


async def test_it_is_named_right_after_the_fifth_reply(world: World) -> None:
    async with world.open() as palaver:
        conversation = (await palaver.start()).id
        for number in range(5):
            assert (await palaver.conversation(conversation)).title is None
            await palaver.send(f"Tiles, number {number}?", conversation_id=conversation)

        async def named() -> bool:
            return (await palaver.conversation(conversation)).title is not None

        for _ in range(200):
            if await named():
                break
            await asyncio.sleep(0.02)
        assert await named()
        assert await count(palaver, conversation) == (0, 1)


async def test_whoever_looks_is_told_of_the_name(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, *turns(5))
        after = await palaver.position()
        await palaver.settle()
        found = await palaver.changes(after)
        (named,) = [one for one in found.happenings if one.kind == "renamed"]
        assert named.conversation
        assert named.conversation.title == "Tiles for 5 Turns"
        assert named.conversation_id == conversation


async def test_the_last_one_who_leaves_has_it_digested(world: World) -> None:
    left = asyncio.Event()

    async def moment(seconds: float) -> None:
        await left.wait()

    async with world.open() as palaver:
        palaver._watching = Watching(palaver._orders.left, moment)  # pyright: ignore[reportPrivateUsage]
        conversation, empty = await talk(palaver, DECIDED, "Noted."), (await palaver.start()).id
        with palaver.watching(conversation), palaver.watching(empty):
            with palaver.watching(conversation):
                pass
            left.set()
            await palaver.settle()
            assert await count(palaver, conversation) == (0, 0)
        await palaver._watching.settle()  # pyright: ignore[reportPrivateUsage]
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)
        assert await count(palaver, empty) == (0, 0)
        with palaver.watching(conversation):
            pass
        await palaver._watching.settle()  # pyright: ignore[reportPrivateUsage]
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)


async def test_a_history_is_not_digested_while_it_is_brought_in(world: World) -> None:
    async with world.open() as palaver:
        conversation = (await palaver.start()).id
        for number in range(12):
            past = f"2020-01-{number + 1:02}T00:00:00Z"
            pair = [
                NewMessage(role="user", content=f"Tiles, day {number}.", timestamp=past),
                NewMessage(role="assistant", content="Noted.", timestamp=past),
            ]
            await palaver.append_many(conversation, pair)
            await palaver.settle()
        assert await count(palaver, conversation) == (0, 0)
        world.clock.advance(minutes=10)
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)


async def test_the_continuous_conversation_is_left_alone(world: World) -> None:
    name = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    async with world.open() as palaver:
        said = [turn(name, ("user", "assistant")[n % 2], text) for n, text in enumerate(turns(6))]
        begun = meta(name, user="local", channel="web", mode="continuous")
        await palaver._ledger.append([begun, *said])  # pyright: ignore[reportPrivateUsage]
        world.clock.advance(minutes=10)
        await palaver.settle()
        assert await count(palaver, name) == (0, 0)


async def test_replies_go_before_digests(world: World) -> None:
    asked: list[bool] = []

    def waits() -> bool:
        asked.append(len(asked) < 3)
        return asked[-1]

    async with world.open() as palaver:
        (work,) = palaver._orders.digests  # pyright: ignore[reportPrivateUsage]
        with work.giving_way(waits):
            conversation = await talk(palaver, *turns(5))
            await palaver.settle()
        assert asked[:4] == [True, True, True, False]
        assert (await palaver.conversation(conversation)).title


async def test_one_in_which_only_others_speak_is_done_with(world: World) -> None:
    name, author = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W", {"kind": "participant", "id": "ann"}
    async with world.open() as palaver:
        begun = meta(name, user="local", channel="whatsapp")
        said = turn(name, "user", "Are you coming?", author=author)
        await palaver._ledger.append([begun, said])  # pyright: ignore[reportPrivateUsage]
        world.clock.advance(minutes=10)
        await palaver.settle()
        found = await palaver.conversation(name)
        assert (found.abbreviation, found.title) == (None, "Brief Exchange")
        assert not found.needs_abbreviation
        assert await palaver.jobs() == []


async def test_a_title_names_only_what_it_stands_on(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, *turns(5))
        await palaver.settle()
        found = await palaver.digest(conversation)
        titles = [source for source in found.title_sources if source.kind == "title"]
        assert {source.point for source in titles} <= {0}


async def test_erasing_a_source_has_it_made_again(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.", "The bath is large.", "Good.")
        world.clock.advance(minutes=10)
        await palaver.settle()
        said = (await palaver.fetch(conversation, first=1, last=1))[0]
        await palaver.redact(conversation, said.id)
        found = await palaver.conversation(conversation)
        assert (found.abbreviation, found.title) == (None, None)
        await palaver.settle()
        found = await palaver.conversation(conversation)
        assert found.abbreviation == "- The bath is large."
        assert found.title
        raw = b"\n".join(line.raw for line in await palaver.lines(conversation))
        assert DECIDED.encode() not in raw


async def test_an_edit_has_it_made_again(world: World) -> None:
    async with world.open() as palaver:
        conversation = (await palaver.send(DECIDED, new=True)).conversation_id
        world.clock.advance(minutes=10)
        await palaver.settle()
        old = (await palaver.fetch(conversation, first=1, last=1))[0]
        await palaver.edit(conversation, old.id, "We take the red tiles.")
        assert (await palaver.conversation(conversation)).abbreviation is None
        world.clock.advance(minutes=10)
        await palaver.settle()
        found = await palaver.conversation(conversation)
        assert found.abbreviation == "- We take the red tiles."


async def test_a_model_that_fails_is_asked_again_later(world: World) -> None:
    world.model = Plain(by="haiku", error=ModelTimeout())
    async with world.open() as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.")
        world.clock.advance(minutes=10)
        await palaver.settle()
        assert (await palaver.conversation(conversation)).needs_abbreviation
        (job,) = await palaver.jobs()
        assert (job.id, job.key) == (f"digest:local:{conversation}", conversation)
        assert (job.state, job.attempts) == ("failed", 1)
        assert job.error
        assert job.error.code == "model_timeout"
        await palaver.settle()
        assert len(world.model.stories) == 1
        world.model.error = None
        world.clock.advance(minutes=5)
        await palaver.settle()
        assert await palaver.jobs() == []
        by = [line.data["by"] for line in await events(palaver, conversation)]
        assert by == ["offline", "haiku"]
        assert not (await palaver.conversation(conversation)).needs_abbreviation


async def test_a_name_given_by_hand_stays_whatever_comes(world: World) -> None:
    async with world.open() as palaver:
        conversation = await talk(palaver, *turns(5))
        await palaver.update(conversation, Change(title="My Own"))
        for _ in range(2):
            world.clock.advance(minutes=10)
            await palaver.settle()
            await talk(palaver, *turns(11), conversation_id=conversation)
        found = await palaver.conversation(conversation)
        assert (found.title, found.manually_named) == ("My Own", True)
        assert await count(palaver, conversation) == (2, 1)


async def test_two_processes_digest_once(world: World) -> None:
    async with world.open() as one, world.open() as other:
        names = [await talk(one, f"Tiles, kind {number}.", "Noted.") for number in range(6)]
        world.clock.advance(minutes=10)
        await asyncio.gather(one.settle(), other.settle())
        for name in names:
            assert await count(one, name) == (1, 1)


async def test_equal_work_is_shared_in_a_database(tmp_path: Path, database_url: str) -> None:
    world = World(tmp_path, database_url)
    async with world.open() as one, world.open() as other:
        assert one._engine.work[0] is other._engine.work[0]  # pyright: ignore[reportPrivateUsage]


def test_after_each_failure_it_waits_twice_as_long() -> None:
    waited = [pause(number) for number in range(1, 100)]
    assert waited[:4] == [timedelta(minutes=minutes) for minutes in (5, 10, 20, 40)]
    assert waited[-1] == timedelta(hours=6)


async def test_a_clock_that_ran_ahead_keeps_nothing_waiting(world: World) -> None:
    async with world.open() as palaver:
        world.clock.advance(days=400)
        conversation = await talk(palaver, DECIDED, "Noted.")
        world.clock.advance(days=-400)
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)
        assert await palaver.jobs() == []


async def test_a_day_that_never_was_is_told_all_the_same(tmp_path: Path) -> None:
    name = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    home = Home(tmp_path)
    home.create()
    said = {"type": "turn", "role": "user", "content": DECIDED, "turnNumber": 1}
    lines = [
        {"type": "meta", "id": name, "channel": "web", "created": "2025-02-30T09:00:00.000Z"},
        {**said, "id": f"{name}:1", "timestamp": "2025-02-30T09:00:00.000Z"},
    ]
    home.stream(name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    async with World(tmp_path, None).open() as palaver:
        await palaver.settle()
        assert await count(palaver, name) == (1, 1)
        assert (await palaver.state(name)).status == "paused"


async def test_what_cannot_be_stored_is_not_made_again_and_again(world: World) -> None:
    elsewhere = Naming(["Blue Tiles"], [], [SummarySource(message_id="msg-elsewhere", turn=1)])
    world.offline.names = elsewhere
    async with world.open() as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.")
        world.clock.advance(minutes=10)
        for _ in range(3):
            await palaver.settle()
        assert len(world.offline.stories) == 1
        (job,) = await palaver.jobs()
        assert (job.state, job.attempts) == ("failed", 1)
        world.offline.names = None
        world.clock.advance(minutes=5)
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)


@pytest.mark.parametrize("idle", ["0s", "999999d"])
async def test_any_length_of_time_may_be_waited(world: World, idle: str) -> None:
    world.idle = idle
    async with world.open() as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.")
        await palaver.settle()
        told = 1 if idle == "0s" else 0
        assert await count(palaver, conversation) == (told, told)


async def test_it_ends_at_once_while_a_digest_is_made(world: World) -> None:
    begun = Event()

    async def linger(story: Story) -> None:
        begun.set()
        await asyncio.sleep(60)

    world.offline.before = linger
    began = time.monotonic()
    async with world.open(QUICKLY) as palaver:
        conversation = await talk(palaver, DECIDED, "Noted.")
        with palaver.watching(conversation):
            world.clock.advance(minutes=10)
        palaver._orders.left(conversation)  # pyright: ignore[reportPrivateUsage]
        assert await asyncio.to_thread(begun.wait, 10)
    assert time.monotonic() - began < 10
    world.offline.before = None
    async with world.open() as palaver:
        await palaver.settle()
        assert await count(palaver, conversation) == (1, 1)


async def test_it_may_end_right_after_its_start(world: World) -> None:
    for _ in range(3):
        async with world.open(QUICKLY):
            pass


async def test_a_program_that_ends_soon_digests_nothing(tmp_path: Path) -> None:
    clock = Still()
    settings = Settings.load(tmp_path, user__timezone="UTC")
    for digests, told in ((False, 0), (True, 1)):
        opening = Palaver.open(settings=settings, clock=clock, index_vectors=False, digests=digests)
        async with opening as palaver:
            latest = (await palaver.conversations()).conversations
            conversation = latest[0].id if latest else await talk(palaver, DECIDED, "Noted.")
            clock.advance(minutes=10)
            await palaver.settle()
            assert await count(palaver, conversation) == (told, told)
