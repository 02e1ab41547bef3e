"""Homes to measure with: written straight to files, in the exact format, as fast as can be."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileOps, FileStore, Home
from palaver.ledger.lines import Draft, Line, meta, turn
from palaver.ledger.stamping import Head, Stamper

_WORDS = 20_000


@contextmanager
def scratch_home() -> Generator[Home]:
    root = Path(tempfile.mkdtemp(prefix="palaver-bench-"))
    home = Home(root / "home")
    home.create()
    try:
        yield home
    finally:
        shutil.rmtree(root)


@asynccontextmanager
async def opened(home: Home, ops: FileOps | None = None) -> AsyncGenerator[FileLedger]:
    """Ledger and index together, as the product runs them."""
    store = FileStore(home, ops)
    index = SqliteIndex(home.index, "local", store)
    ledger = FileLedger(store, index)
    await ledger.open()
    await index.open()
    try:
        yield ledger
    finally:
        await ledger.close()
        await index.close()


def fill(home: Home, conversations: int, turns: int, words: int = 90) -> int:
    """Writes conversations of `turns` lines each; returns how many lines there are in all."""
    lines = 0
    for written in invented(conversations, turns, words):
        home.stream(written[0].stream).write_bytes(b"".join(line.raw + b"\n" for line in written))
        lines += len(written)
    return lines


def invented(conversations: int, turns: int, words: int, seed: int = 1) -> Iterator[list[Line]]:
    """The lines of conversations about nothing, one after the other."""
    rng = random.Random(seed)
    vocabulary = [_word(rng) for _ in range(_WORDS)]
    stamper = Stamper(0, "2026-02-14T09:00:00.000Z")
    for number in range(conversations):
        name = f"conv-{number:026d}"
        head, lines = Head(name), list[Line]()
        for draft in _drafts(name, turns, words, rng, vocabulary):
            line, head = stamper.stamp(head, draft)
            lines.append(line)
        yield lines


def _drafts(
    name: str, turns: int, words: int, rng: random.Random, vocabulary: list[str]
) -> Iterator[Draft]:
    yield meta(name, user="local", channel="web")
    for number in range(turns - 1):
        # A few words are frequent, most are rare, as in real text.
        text = " ".join(vocabulary[int(_WORDS * rng.random() ** 3)] for _ in range(words))
        yield turn(name, ("user", "assistant")[number % 2], text)


def _word(rng: random.Random) -> str:
    """Not a short one: these are the small words of some language, and each message would seem to
    be in another."""
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(4, 9)))


def index_everything(home: Home) -> None:
    """Opens the home and waits until the index has it all."""

    async def work() -> None:
        store = FileStore(home)
        index = SqliteIndex(home.index, "local", store)
        ledger = FileLedger(store, index)
        await ledger.open()
        await index.open()
        await index.settle()
        await ledger.close()
        await index.close()

    asyncio.run(work())
