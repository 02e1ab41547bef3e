"""What was forgotten is gone, and stays gone.

Strings are planted in what the owner says, and remembered: by the extractor, by hand, pinned,
reworded, superseded. An assistant echoes some of them. Forgotten everywhere, none of them is in any
file of the home, and no vector or key of what held them. Forgotten plainly, they stand in what was
said and nowhere else, and are not learned again however often it is read.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from palaver import Palaver
from palaver.errors import NotFound
from palaver.index.pieces import piece_key
from palaver.memory.records import NewMemory
from palaver.settings import Settings
from tests.library import BagOfWords
from tests.proofs.report import Report

PASSES = 10
WITHIN = 60.0
"""Seconds."""
_PER_CONVERSATION = 20
_KEPT = "I live in Berlin."
_WAYS = (
    "My neighbour {} is a baker.",
    "My colleague {} plays the violin.",
    "My friend {} collects stamps.",
    "My cousin {} has a farm.",
)


def planted(number: int) -> str:
    return f"Zq{number:05d}Canary"


class Planted:
    """A home in which strings were planted."""

    def __init__(self, home: Path, strings: int) -> None:
        self.home = home
        self.strings = [planted(number) for number in range(strings)]
        self.conversations: list[str] = []
        self.texts: set[str] = set()
        """Everything that was said or remembered, with a string in it."""
        self.lost: list[str] = []
        """Those that were not remembered: nothing is proven of them."""

    def opened(self) -> Palaver:
        settings = Settings.load(self.home, user__timezone="UTC")
        return Palaver.open(settings=settings, embedder=BagOfWords(), digests=False)

    async def plant(self, palaver: Palaver) -> None:
        for start in range(0, len(self.strings), _PER_CONVERSATION):
            conversation = (await palaver.start()).id
            self.conversations.append(conversation)
            for number, word in enumerate(self.strings[start : start + _PER_CONVERSATION]):
                await self._say(palaver, conversation, number, word)
            await palaver.memories.extract(conversation)
        kept = await palaver.start()
        await palaver.append(kept.id, "user", _KEPT)
        await palaver.memories.extract(kept.id)
        await self._change(palaver)
        await palaver.settle()

    async def _say(self, palaver: Palaver, conversation: str, number: int, word: str) -> None:
        text = _WAYS[number % len(_WAYS)].format(word)
        text = f"Remember this: {text}" if number % 5 == 1 else text
        said = await palaver.append(conversation, "user", text)
        self.texts.add(text)
        if number % 5 == 2:
            content = f"{word} comes to the harbour with me."
            self.texts.add(content)
            await palaver.memories.put(NewMemory(content=content, source_message_id=said.id))
        if number % 5 == 3:
            echo = f"I see: your {_WAYS[number % len(_WAYS)].format(word)[3:]}"
            self.texts.add(echo)
            await palaver.append(conversation, "assistant", echo)
            await palaver.append(conversation, "user", text)
        else:
            await palaver.append(conversation, "assistant", "I see.")

    async def _change(self, palaver: Palaver) -> None:
        """Some are pinned, reworded, archived or superseded."""
        every = [one for one in await palaver.memories.every() if "Canary" in one.content]
        for number, memory in enumerate(every):
            match number % 8:
                case 0:
                    await palaver.memories.edit(memory.id, pinned=True)
                case 1:
                    content = f"{memory.content[:-1]}, as ever."
                    self.texts.add(content)
                    await palaver.memories.edit(memory.id, content=content)
                case 2:
                    await palaver.memories.edit(memory.id, archived=True)
                case 3 if number:
                    await palaver.memories.supersede(memory.id, every[number - 1].id)
                case _:
                    pass
        held = " ".join(one.content for one in await palaver.memories.every())
        self.lost = [word for word in self.strings if word not in held]
        self.texts |= {one.content for one in every}


def prove_everywhere(strings: int) -> Report:
    """Forgotten everywhere: one by one, by conversation, by word, by a command."""
    return _proved("forgotten everywhere", strings, _everywhere)


def prove_plain(strings: int) -> Report:
    """Forgotten, and what was said stays."""
    return _proved("forgotten, not learned again", strings, _plain)


def _proved(name: str, strings: int, work: Callable[[Report, Planted], Awaitable[None]]) -> Report:
    report = Report(name, "strings")
    root = Path(tempfile.mkdtemp(prefix="palaver-oblivion-"))
    world = Planted(root / "home", strings)
    try:
        asyncio.run(_run(report, world, work))
    finally:
        shutil.rmtree(root)
    return report


async def _run(
    report: Report, world: Planted, work: Callable[[Report, Planted], Awaitable[None]]
) -> None:
    async with world.opened() as palaver:
        await world.plant(palaver)
    if world.lost:
        report.fail(f"{len(world.lost)} strings were not remembered: {world.lost[:3]}")
    report.tried = len(world.strings)
    await work(report, world)


# -- everywhere ----------------------------------------------------------------------------------


async def _everywhere(report: Report, world: Planted) -> None:
    async with world.opened() as palaver:
        began = time.perf_counter()
        memories = [one for one in await palaver.memories.every() if "Canary" in one.content]
        for memory in memories[:: max(1, len(memories) // 20)]:
            with suppress(NotFound):  # it went with another one that came from the same words
                await palaver.memories.forget(memory.id, everywhere=True)
        await palaver.memories.forget(about="harbour", everywhere=True)
        for conversation in world.conversations:
            await palaver.memories.forget(conversation_id=conversation, everywhere=True)
        for memory in await palaver.memories.every():
            with suppress(NotFound):
                if "Canary" in memory.content:
                    await palaver.memories.forget(memory.id, everywhere=True)
        _judge(report, world)  # while it is running, and again when it is closed
        took = time.perf_counter() - began
        await palaver.settle()
    _judge(report, world)
    report.notes.append(f"{len(memories):,} memories in {took:.1f} s")
    if took > WITHIN:
        report.fail(f"it took {took:.0f} s")


def _judge(report: Report, world: Planted) -> None:
    files = _files(world.home)
    for word in world.strings:
        for path, data in files.items():
            if word.encode() in data:
                report.fail(f"{word} is still in {path}")
    _judge_meaning(report, files, world.texts)
    if not any(_KEPT.encode() in data for data in files.values()):
        report.fail("a memory that was not forgotten is gone")


def _judge_meaning(report: Report, files: dict[str, bytes], texts: Iterable[str]) -> None:
    """No key and no vector of what held a string is left, whatever it was."""
    model = BagOfWords()
    stored = [data for path, data in files.items() if "vectors" in path or ".db" in path]
    for text in texts:
        (vector,) = model.embed([text])
        needles = {
            "key": piece_key(text)[:8],
            "vector": vector[:8].tobytes(),
            "short vector": vector[:16].astype("<f2").tobytes(),
        }
        for kind, needle in needles.items():
            if any(needle in data for data in stored):
                report.fail(f"the {kind} of {text!r} is left")


def _files(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()
    }


# -- plainly -------------------------------------------------------------------------------------


async def _plain(report: Report, world: Planted) -> None:
    async with world.opened() as palaver:
        said = await _said(palaver, world)
        memories = [one for one in await palaver.memories.every() if "Canary" in one.content]
        for memory in memories[: len(memories) // 4]:
            await palaver.memories.forget(memory.id)
        await palaver.memories.forget(about="harbour")
        for conversation in world.conversations:
            await palaver.memories.forget(conversation_id=conversation)
        for memory in await palaver.memories.every():
            if "Canary" in memory.content:
                await palaver.memories.forget(memory.id)
        for number in range(PASSES):
            for conversation in world.conversations:
                found = await palaver.memories.extract(conversation)
                if found.added or found.waiting:
                    report.fail(f"{len(found.added)} were learned again in pass {number + 1}")
        _judge_left(report, world, await palaver.memories.every())
        if await _said(palaver, world) != said:
            report.fail("what was said has changed")
    _judge_plain(report, world)
    report.notes.append(f"{len(memories):,} memories, {PASSES} passes")


async def _said(palaver: Palaver, world: Planted) -> list[str]:
    return [
        one.content
        for conversation in world.conversations
        for one in (await palaver.messages(conversation, limit=200)).messages
    ]


def _judge_left(report: Report, world: Planted, left: Sequence[Any]) -> None:
    held = " ".join(f"{one.content} {one.quote}" for one in left)
    again = [word for word in world.strings if word in held]
    if again:
        report.fail(f"{len(again)} strings are remembered: {again[:3]}")


def _judge_plain(report: Report, world: Planted) -> None:
    """The strings stand in the files of their conversations, and in the rows of these messages."""
    own = {f"conversations/{name}.jsonl" for name in world.conversations}
    for path, data in _files(world.home).items():
        if path not in own and not path.startswith("conversations/conversations.db"):
            for word in world.strings:
                if word.encode() in data:
                    report.fail(f"{word} is in {path}")
    index: Any = apsw.Connection(str(world.home / "conversations" / "conversations.db"))
    for table in ("memories", "summaries", "states"):
        for row in index.execute(f"SELECT * FROM {table}"):
            if "Canary" in str(row):
                report.fail(f"a string is in {table}")
    index.close()
    only = {text for text in world.texts if text.endswith(("harbour with me.", "as ever."))}
    _judge_meaning(report, _files(world.home), only)
