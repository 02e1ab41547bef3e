"""Whoever digests may be killed at any step: afterwards all is as if nobody had been.

A home with a conversation that is quiet is copied for each step. A process digests it and is killed
there: before and after each append to the ledger, each change of the index, each embedding. Another
takes its place. Then there is one abbreviation, one title, and one vector for each text.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from pathlib import Path
from typing import Any

from palaver.app import Palaver
from palaver.conversation.bench import SetBench
from palaver.conversation.digests import DigestWork
from palaver.conversation.workbench import Terms
from palaver.digest.days.summaries import DayMakers
from palaver.digest.digesting import Makers
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.loading import ModelLoader
from palaver.index.sqlite.index import SqliteIndex
from palaver.index.vectors import VectorStore
from palaver.jobs.work import Desk
from palaver.ledger.files import FileLedger, FileStore, Home
from palaver.ledger.verify import verify_streams
from palaver.memory.apart import ApartExtractor
from palaver.memory.extracting import Extractors
from palaver.settings import Settings
from palaver.telemetry import Logged
from tests.digest.days.makers import PlainDays
from tests.digest.dialogue import talk, turns
from tests.digest.makers import Plain
from tests.library import BagOfWords
from tests.proofs.report import Report
from tests.proofs.starting import PROCESSES

BEGAN = datetime(2026, 2, 14, 9, tzinfo=UTC)
QUIET = BEGAN + timedelta(minutes=30)
_DECIDED = "We decided to take the blue tiles, order 4711-B."
_MOST = 200
"""There are fewer steps than that."""

Plant = Callable[[], None]


def honest() -> None:
    """No planted fault."""


def careless() -> None:
    """A planted fault: it is not looked at what is there already, and nothing is written once."""
    from palaver.digest import digesting, recording
    from palaver.ledger.lines import new_id

    def everything(*_: object, **__: object) -> frozenset[str]:
        return frozenset({"abbreviation", "title"})

    setattr(digesting, "wanted_of", everything)  # noqa: B010
    setattr(recording.Entry, "key", property(lambda _: new_id("key")))  # noqa: B010


@dataclass(frozen=True, slots=True)
class Found:
    """What there is of a conversation after all."""

    abbreviations: int
    titles: int
    title: str | None
    abbreviation: str | None
    vectors: int
    unlearned: int
    damage: int


class Bench:
    """The maker of the proof."""

    def makers(self, desk: Desk) -> Makers:
        return Makers(Plain())

    def days(self, desk: Desk) -> DayMakers:
        return DayMakers(PlainDays())

    def extractors(self) -> Extractors:
        return Extractors(ApartExtractor())

    async def close(self) -> None: ...


def library(folder: Path, now: datetime, *, real: bool = False) -> Palaver:
    """With the maker of the proof, or with the `real` one that needs no model."""

    def clock() -> datetime:
        return now

    settings = Settings.load(folder, user__timezone="UTC")
    bench = partial(SetBench, settings, clock) if real else Bench
    work = DigestWork(Terms(settings, clock, Logged(), bench, by_model=False))
    load = ModelLoader(folder, BagOfWords())
    engine = EmbeddedEngine(Home(folder), "local", load, clock, work=[work])
    return Palaver(settings, "local", clock, engine)


def prove(step: int = 1, *, plant: Plant = honest, real: bool = False) -> Report:
    """Kills at every `step`-th step; the `real` maker has a process of its own."""
    report = Report(f"kills of whoever digests{' in earnest' * real}", "kills")
    root = Path(tempfile.mkdtemp(prefix="palaver-digests-"))
    try:
        conversation = asyncio.run(_begin(root / "home"))
        shutil.copytree(root / "home", root / "whole")
        _live(root / "whole", 0, honest, real=real)
        whole = asyncio.run(_look(root / "whole", conversation))
        if (whole.abbreviations, whole.titles) != (1, 1) or not whole.vectors:
            report.fail(f"nobody was killed, and it was not digested: {whole}")
        for at in range(1, _MOST, step):
            home = root / f"killed-{at}"
            shutil.copytree(root / "home", home)
            if not _die(report, home, at, plant, real=real):
                break
            found = asyncio.run(_look(home, conversation))
            if found != whole:
                report.fail(f"step {at}: {found} and not {whole}")
            shutil.rmtree(home)
    finally:
        shutil.rmtree(root)
    return report


def _die(report: Report, home: Path, at: int, plant: Plant, *, real: bool) -> bool:
    """Has one killed at a step, and another go on; False when there was no such step."""
    ended = _live(home, at, plant, real=real)
    if ended == 0:
        return False
    report.tried += 1
    if ended != -signal.SIGKILL:
        report.fail(f"step {at}: it was not killed, it ended by itself with {ended}")
    if again := _live(home, 0, plant, real=real):
        report.fail(f"step {at}: the one after it ended with {again}")
    return True


async def _begin(folder: Path) -> str:
    async with library(folder, BEGAN) as palaver:
        conversation = await talk(palaver, _DECIDED, "Noted.", *turns(3))
        await palaver.settle()
        return conversation


def _live(folder: Path, at: int, plant: Plant, *, real: bool) -> int | None:
    """A process that digests, and is killed at a step; how it ended."""
    child = PROCESSES.Process(target=_digest, args=(folder, at, plant, real))
    child.start()
    child.join()
    return child.exitcode


def _digest(folder: Path, at: int, plant: Plant, real: bool) -> None:
    plant()
    if at:
        _mine(at)
    asyncio.run(_settle(folder, real=real))


async def _settle(folder: Path, *, real: bool) -> None:
    async with library(folder, QUIET, real=real) as palaver:
        await palaver.settle()


def _mine(at: int) -> None:
    """Has this process killed at the `at`-th step."""
    passed = 0

    def step() -> None:
        nonlocal passed
        passed += 1
        if passed == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def mined(*given: Any) -> Any:
            step()
            done = work(*given)
            step()
            return done

        return mined

    for owner, name in ((SqliteIndex, "apply"), (BagOfWords, "embed")):
        setattr(owner, name, around(getattr(owner, name)))
    commit = FileLedger.append

    async def append(self: FileLedger, drafts: Any, **given: Any) -> Any:
        step()
        done = await commit(self, drafts, **given)
        step()
        return done

    setattr(FileLedger, "append", append)  # noqa: B010


async def _look(folder: Path, conversation: str) -> Found:
    """Opens the home while it is not quiet yet: nothing is digested by that."""
    async with library(folder, BEGAN) as palaver:
        await palaver.settle()
        lines = await palaver.lines(conversation)
        meta = await palaver.conversation(conversation)
        index = palaver._index  # pyright: ignore[reportPrivateUsage]
        assert isinstance(index, SqliteIndex)
        done, total = index.learned()
    home = Home(folder)
    with closing(VectorStore(home.vectors, BagOfWords.identity, BagOfWords.dimensions)) as store:
        vectors = store.models().get(BagOfWords.identity, 0)
    findings = list(verify_streams(FileStore(home)))
    return Found(
        abbreviations=sum(line.event == "abbreviation" for line in lines),
        titles=sum(line.event == "title_assigned" for line in lines),
        title=meta.title,
        abbreviation=meta.abbreviation,
        vectors=vectors,
        unlearned=total - done,
        damage=sum(one.damage for one in findings),
    )
