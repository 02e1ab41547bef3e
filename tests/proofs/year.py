"""A year in one conversation: every message is in one day, and what was said is found again.

Somebody speaks day after day through the library, with a clock that is set to the times of a diary.
They travel, the clocks change, in some nights nothing runs, and now and then the process is killed
with SIGKILL, by day or by night. Another one goes on after the last thing that was acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from palaver.app import Palaver
from palaver.conversation.records import Choices
from palaver.index.port import Day
from palaver.index.records import Message
from palaver.ledger.lines import Line, day_id
from palaver.recall.continuous_results import FoundMessage, FoundSummary
from palaver.settings import Settings
from tests.library import Clock
from tests.proofs.diary import Diary, Fact, Page, written
from tests.proofs.report import Report
from tests.proofs.starting import PROCESSES

BERLIN, NEW_YORK, TOKYO = "Europe/Berlin", "America/New_York", "Asia/Tokyo"
NEW_YEAR = date(2026, 1, 1)
_LAST = 1 << 40
_SHOWN = 6
"""So many results are looked at for a fact."""
_ENOUGH = 0.98
"""Of so many days the fact must be found again."""
_NIGHT = -1
"""Stands for the night after the last turn of a day."""
Plant = Callable[[], None]
Spoil = Callable[[Palaver, str], Awaitable[None]]


def honest() -> None:
    """Nothing is planted."""


async def untouched(palaver: Palaver, conversation: str) -> None:
    """Nothing is spoiled."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is lived through."""

    diary: Diary
    kills: int
    window: int = 4000
    """How many tokens of a day a model is shown word for word."""
    replayed: bool = True
    """Whether the nightly work of all days is done once more, to see how long it takes."""
    seed: int = 1

    @property
    def killed(self) -> list[tuple[int, int]]:
        """After which turn of which page; half of them at night."""
        rng = random.Random(self.seed)
        awake = [number for number, page in enumerate(self.diary.pages[:-1]) if not page.slept]
        chosen = sorted(rng.sample(awake, self.kills))
        turns = (rng.randrange(1, len(self.diary.pages[number].spoken)) for number in chosen)
        return [
            (number, _NIGHT if place % 2 else turn)
            for place, (number, turn) in enumerate(zip(chosen, turns, strict=True))
        ]


def short(window: int = 500) -> Trial:
    """Twelve days with a move west, clocks put forward, two missed nights and two kills."""
    moves = {0: TOKYO, 3: BERLIN}
    diary = written(12, 6, begin=date(2026, 3, 20), moves=moves, slept=2, pasted=9, seed=3)
    return Trial(diary, kills=2, window=window, replayed=False)


def few() -> Trial:
    """Five days with a move west, on which enough is said to see a fault."""
    moves = {0: TOKYO, 2: BERLIN}
    diary = written(5, 13, begin=date(2026, 3, 26), moves=moves, slept=0, pasted=9, seed=3)
    return Trial(diary, kills=0, window=500, replayed=False)


def whole_year() -> Trial:
    """365 days of 40 messages each; the clocks change twice while the user is in Berlin."""
    moves = {0: BERLIN, 120: NEW_YORK, 200: TOKYO, 260: BERLIN}
    return Trial(written(365, 20, begin=NEW_YEAR, moves=moves, slept=20), kills=10)


@dataclass(slots=True)
class Lived:
    """What was acknowledged, in order, and what each turn cost."""

    turns: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    tokens: list[int] = field(default_factory=list[int])
    history: list[int] = field(default_factory=list[int])
    over: int = 0
    """In how many turns the packet cost more than it may."""
    kills: int = 0

    def hear(self, line: str) -> tuple[int, int]:
        """What a process says: that a turn is stored and what it cost, or that the night begins."""
        page, turn, tokens, budget, history = map(int, line.split())
        if turn != _NIGHT:
            self.turns.append((page, turn))
            self.tokens.append(tokens)
            self.history.append(history)
            self.over += tokens > budget
        return page, turn


def prove(trial: Trial | None = None, *, plant: Plant = honest, spoil: Spoil = untouched) -> Report:
    trial = trial or whole_year()
    report = Report("a year in one conversation", "days")
    root = Path(tempfile.mkdtemp(prefix="palaver-year-"))
    try:
        lived = _lived(root / "home", trial, plant)
        if lived.kills != trial.kills:
            report.fail(f"{lived.kills} processes were killed, and not {trial.kills}")
        asyncio.run(_judge(report, root / "home", trial, lived, spoil))
        if trial.replayed:
            report.notes.append(asyncio.run(_replayed(root / "again", trial)))
    finally:
        shutil.rmtree(root)
    report.tried = len(trial.diary.pages)
    return report


def settings_of(home: Path, trial: Trial) -> Settings:
    zone = trial.diary.pages[0].zone
    return Settings.load(home, user__timezone=zone, continuous__window_tokens=trial.window)


# -- living --------------------------------------------------------------------------------------


def _lived(home: Path, trial: Trial, plant: Plant) -> Lived:
    """Lives through all of it, one process after the other."""
    lived, rng, killed = Lived(), random.Random(trial.seed), trial.killed
    pages = trial.diary.pages
    begin = (0, 0)
    while begin < (len(pages), 0):
        reader, writer = PROCESSES.Pipe(duplex=False)
        child = PROCESSES.Process(target=_live, args=(home, trial, begin, writer, plant))
        child.start()
        writer.close()
        at = killed[lived.kills] if lived.kills < len(killed) else None
        for place in _heard(reader, lived):
            begin = (place[0] + 1, 0) if place[1] == _NIGHT else (place[0], place[1] + 1)
            if place == at:
                time.sleep(rng.random() * (0.2 if place[1] == _NIGHT else 0.02))
                child.kill()
                lived.kills += 1
                at = None
        child.join()
        if child.exitcode not in (0, -9):
            raise AssertionError(f"a process ended with {child.exitcode}")
        if child.exitcode == 0:
            begin = (len(pages), 0)
    return lived


def _heard(reader: Connection, lived: Lived) -> Iterator[tuple[int, int]]:
    with reader, open(reader.fileno(), closefd=False) as said:
        for line in said:
            if line.endswith("\n"):
                yield lived.hear(line)


def _live(home: Path, trial: Trial, begin: tuple[int, int], out: Connection, plant: Plant) -> None:
    plant()
    asyncio.run(_speak(home, trial, begin, out.fileno()))


async def _speak(home: Path, trial: Trial, begin: tuple[int, int], out: int) -> None:
    """From a turn on; whenever nothing runs at night, the library is closed before it."""
    page, turn = begin
    clock, pages = Clock(), trial.diary.pages
    while page < len(pages):
        clock.now = pages[page].spoken[0].at - timedelta(minutes=1)
        opened = Palaver.open(settings=settings_of(home, trial), clock=clock, index_vectors=False)
        async with opened as palaver:
            while page < len(pages):
                awake = await _day(palaver, clock, (page, turn), pages[page], out)
                page, turn = page + 1, 0
                if not awake:
                    break


async def _day(
    palaver: Palaver, clock: Clock, place: tuple[int, int], page: Page, out: int
) -> bool:
    """A day, and the night after it, unless nothing runs then: whether it does."""
    number, first = place
    conversation = (await palaver.continuous.ensure()).id
    for turn, one in list(enumerate(page.spoken))[first:]:
        clock.now = one.at
        if (await palaver.me()).timezone != one.zone:
            await palaver.set_me(Choices(timezone=one.zone))
        key = f"{number}.{turn}"
        await palaver.append(conversation, "user", one.text, key=key)
        packet = await palaver.context(conversation)
        await palaver.append(conversation, "assistant", one.answer, key=f"{key}.answer")
        told = (number, turn, packet.tokens, packet.budget, packet.sections[-1].tokens)
        os.write(out, f"{' '.join(map(str, told))}\n".encode())
    if page.slept:
        return False
    os.write(out, f"{number} {_NIGHT} 0 0 0\n".encode())
    clock.now = page.night
    await palaver.settle()
    return True


# -- judging -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """What there is after all."""

    conversation: str
    lines: Sequence[Line]
    days: Sequence[Day]
    """The oldest first."""
    said: Sequence[Sequence[Message]]
    """What was said on each of them."""


async def _judge(report: Report, home: Path, trial: Trial, lived: Lived, spoil: Spoil) -> None:
    clock = Clock()
    clock.now = trial.diary.pages[-1].night + timedelta(hours=1)
    opened = Palaver.open(
        settings=settings_of(home, trial), clock=clock, index_vectors=False, digests=False
    )
    async with opened as palaver:
        await palaver.catch_up()
        conversation = (await palaver.continuous.ensure()).id
        await spoil(palaver, conversation)
        kept = await _kept(palaver, conversation)
        for check in (_whole, _forward, _covering, _ended):
            for failure in check(trial, kept):
                report.fail(failure)
        for failure in _bounded(trial, lived):
            report.fail(failure)
        report.notes.append(
            f"{len(lived.turns):,} turns, {lived.kills} kills; a packet costs at most "
            f"{max(lived.tokens):,} tokens, its history at most {max(lived.history):,}"
        )
        await _remembered(report, palaver, trial, kept)
        report.notes.append(await _opened(palaver, kept))


async def _kept(palaver: Palaver, conversation: str) -> Kept:
    days = await palaver.every_day(conversation)
    said = [await _said(palaver, conversation, day) for day in days]
    return Kept(conversation, await palaver.lines(conversation), days, said)


async def _said(palaver: Palaver, conversation: str, day: Day) -> Sequence[Message]:
    last = _LAST if day.last_turn is None else day.last_turn
    if last < day.first_turn:
        return ()
    return await palaver.fetch(conversation, first=day.first_turn, last=last)


def _whole(trial: Trial, kept: Kept) -> Iterator[str]:
    """Every message is in exactly one day, and it is the right one."""
    wanted: dict[str, list[str]] = {}
    for page, labels in zip(trial.diary.pages, trial.diary.labels(), strict=True):
        for one, label in zip(page.spoken, labels, strict=True):
            wanted.setdefault(label, []).extend([one.text, one.answer])
    found = {day.label: [one.content for one in said] for day, said in _lived_days(kept)}
    for label in sorted(wanted.keys() | found.keys()):
        if found.get(label) != wanted.get(label):
            there, said = len(found.get(label, ())), len(wanted.get(label, ()))
            yield f"{label}: {there} messages, and not the {said} that were said on it"
    ids = Counter(one.id for said in kept.said for one in said)
    stored = [line.id for line in kept.lines if line.type == "turn"]
    if sorted(ids) != sorted(stored) or any(count > 1 for count in ids.values()):
        yield "a message is in no day, or in two"


def _lived_days(kept: Kept) -> Iterator[tuple[Day, Sequence[Message]]]:
    yield from zip(kept.days, kept.said, strict=True)


def _forward(trial: Trial, kept: Kept) -> Iterator[str]:
    """Labels only go forward, and each has the id that is made from it."""
    opened = [line.data["day"] for line in kept.lines if line.event == "day_opened"]
    if opened != sorted(set(opened)):
        yield f"labels went back: {opened}"
    if opened != [day.label for day in kept.days]:
        yield "a day was opened that is none, or is one that was not opened"
    for day in kept.days:
        if day.id != day_id(kept.conversation, day.label):
            yield f"{day.label} has the id {day.id}"


def _covering(trial: Trial, kept: Kept) -> Iterator[str]:
    """What is told of a day only grows."""
    covered: dict[str, int] = {}
    for line in kept.lines:
        if line.event == "day_summary":
            label, covers = line.data["day"], line.data["covers"]
            if covers < covered.get(label, -1):
                yield f"{label} was told up to line {covered[label]}, and then up to {covers}"
            covered[label] = covers


def _ended(trial: Trial, kept: Kept) -> Iterator[str]:
    """Each day is closed once, and one summary tells of all of it."""
    closed = Counter(line.data["day"] for line in kept.lines if line.event == "day_closed")
    told = [line.data for line in kept.lines if line.event == "day_summary"]
    for day, said in _lived_days(kept):
        if closed[day.label] != 1:
            yield f"{day.label} was closed {closed[day.label]} times"
        last = max((one.seq for one in said), default=-1)
        final = [one for one in told if one["day"] == day.label and one["covers"] >= last]
        if len(final) != 1:
            yield f"{day.label} has {len(final)} summaries that tell of all of it"


def _bounded(trial: Trial, lived: Lived) -> Iterator[str]:
    if lived.over:
        yield f"a packet cost more than it may, {lived.over} times"
    crowded = sum(one > trial.window for one in lived.history)
    if crowded:
        yield f"more of a day was shown than {trial.window:,} tokens, {crowded} times"


async def _remembered(report: Report, palaver: Palaver, trial: Trial, kept: Kept) -> None:
    """On the last day, the fact of every day is found again: among all, and on its day."""
    places = {one.content: (day.label, one.id) for day, said in _lived_days(kept) for one in said}
    found, then, times = 0, 0, list[float]()
    for page in trial.diary.pages:
        told = next(one.text for one in page.spoken if page.fact.told in one.text)
        if told not in places:
            continue
        label, message = places[told]
        began = time.perf_counter()
        everywhere = await palaver.continuous.search(page.fact.asked, recency_days=0, limit=_SHOWN)
        times.append(1000 * (time.perf_counter() - began))
        on_its_day = await palaver.continuous.search(page.fact.asked, day=label, limit=_SHOWN)
        found += any(_tells(one, page.fact, message) for one in everywhere.results)
        then += any(_tells(one, page.fact, message) for one in on_its_day.results)
    days = len(trial.diary.pages)
    for number, where in ((found, "among all days"), (then, "on its day")):
        if number < _ENOUGH * days:
            report.fail(f"{number} of {days} facts were found again {where}")
    times.sort()
    report.notes.append(
        f"facts found again: {found / days:.1%} among all days, {then / days:.1%} on their days, "
        f"at {_SHOWN} results; a search takes {times[len(times) // 2] if times else 0:.1f} ms"
    )


def _tells(result: FoundMessage | FoundSummary, fact: Fact, message_id: str) -> bool:
    if isinstance(result, FoundSummary):
        return fact.value in result.summary_snippet
    return message_id in (result.message_id, result.snippet_message_id)


# -- measuring -----------------------------------------------------------------------------------


async def _opened(palaver: Palaver, kept: Kept) -> str:
    """How long it takes to read a day."""
    times: list[float] = []
    for day in kept.days:
        began = time.perf_counter()
        await palaver.continuous.day(day.label)
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    return (
        f"reading a day takes {times[len(times) // 2]:.1f} ms, "
        f"95 of 100 at most {times[len(times) * 95 // 100]:.1f} ms"
    )


async def _replayed(home: Path, trial: Trial) -> str:
    """How long the nightly work of all days takes, when none of it was done before."""
    clock = Clock()
    given = settings_of(home, trial)
    async with Palaver.open(
        settings=given, clock=clock, index_vectors=False, digests=False
    ) as palaver:
        conversation = (await palaver.continuous.ensure()).id
        for page in trial.diary.pages:
            for one in page.spoken:
                clock.now = one.at
                await palaver.set_me(Choices(timezone=one.zone))
                await palaver.append(conversation, "user", one.text)
                await palaver.append(conversation, "assistant", one.answer)
        await palaver.catch_up()
    clock.now = trial.diary.pages[-1].night
    async with Palaver.open(settings=given, clock=clock, index_vectors=False) as palaver:
        began = time.perf_counter()
        await palaver.settle()
        took = time.perf_counter() - began
        days = await palaver.every_day(conversation)
    return f"the nightly work of {len(days)} days, none done before: {took:.1f} s"
