"""Words that were erased are in no file of the home: not in the ledger, the index or its log.

Nor is anything left of what they meant: no vector of an erased text.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from palaver import Palaver
from palaver.index.pieces import piece_key, without_marks
from palaver.index.summary_fold import EXTRACTED, FIELDS
from palaver.index.vectors import VectorStore
from palaver.settings import Settings
from tests.library import BagOfWords, Clock
from tests.proofs import erased_days
from tests.proofs.report import Report

KEPT = [f"kept{number:05d}zq" for number in range(20)]

_YES = "Yes, I will."
OF_DAYS = 90_000
"""The first number of the words that are said in the continuous conversation."""


def canary(number: int) -> str:
    return f"canary{number:05d}zq"


def prove(canaries: int) -> Report:
    """Half go as messages, half with their conversations; some were quoted by the assistant."""
    report = Report("erased words", "canaries")
    root = Path(tempfile.mkdtemp(prefix="palaver-canaries-"))
    try:
        gone, kept = asyncio.run(_erase(report, root / "home", canaries))
        _judge(report, root / "home", gone, kept)
        _judge_meaning(report, root / "home")
    finally:
        shutil.rmtree(root)
    return report


async def _erase(report: Report, home: Path, canaries: int) -> tuple[list[str], list[str]]:
    words = [canary(number) for number in range(canaries)]
    kept = KEPT
    settings = Settings.load(home, conversations__max_context_tokens=800)
    clock, on_days = Clock(), [canary(OF_DAYS + number) for number in range(12)]
    async with Palaver.open(settings=settings, embedder=BagOfWords(), clock=clock) as palaver:
        held = await palaver.start()
        for word in kept:
            await palaver.append(held.id, role="user", content=_kept(word))
        half, per_conversation = canaries // 2, 25
        messages: list[tuple[str, str]] = []
        for word in words[:half]:
            message = await palaver.append(
                held.id, role="user", content=f"Remind me to take {word} away."
            )
            messages.append((held.id, message.id))
        doomed = [await palaver.start() for _ in range(max(1, half // per_conversation))]
        for number, word in enumerate(words[half:]):
            await palaver.append(
                doomed[number % len(doomed)].id, role="user", content=f"Also {word}", key=word
            )
        await palaver.settle()
        for conversation in (held, *doomed):
            await _digest(palaver, conversation.id)
        going = await erased_days.live(palaver, clock, on_days)
        await palaver.catch_up()
        _judge_digests(report, home)
        asked = [
            await palaver.send(f"What about {word}?", new=True) for word in (words[0], words[-1])
        ]
        for conversation, message in messages:
            await palaver.redact(conversation, message)
        for conversation in doomed:
            await palaver.delete(conversation.id)
        for reply in asked:
            await palaver.delete(reply.conversation_id)  # our own questions repeat the words
        await erased_days.erase(palaver, report, going, on_days)
        words += on_days
        _judge(report, home, words, kept)  # while it is running, and again when it is closed
    return words, kept


async def _digest(palaver: Palaver, conversation_id: str) -> None:
    """Keeps a state and makes summaries, as after a reply, then a title and an abbreviation."""
    await palaver.append(conversation_id, role="assistant", content=_YES)
    await palaver._context.states.keep(conversation_id)  # pyright: ignore[reportPrivateUsage]
    await palaver._context.compression.run_if_due(conversation_id)  # pyright: ignore[reportPrivateUsage]
    await palaver._context.rolling.run_if_due(conversation_id)  # pyright: ignore[reportPrivateUsage]
    palaver._orders.left(conversation_id)  # pyright: ignore[reportPrivateUsage]
    await palaver.settle()


def _judge_digests(report: Report, home: Path) -> None:
    """The proof is about states and summaries only if there are some with the words in them."""
    index: Any = apsw.Connection(str(home / "conversations" / "conversations.db"))
    found = {"states": [text for (text,) in index.execute("SELECT text FROM states")]}
    for kind, text in index.execute("SELECT kind, text FROM summaries"):
        found.setdefault(kind, []).append(text)
    for kind in ("states", *(kind for kind in FIELDS if kind != EXTRACTED)):  # it says nothing
        texts = [text for name, held in found.items() if name.split()[0] == kind for text in held]
        if not any("canary" in text.casefold() for text in texts):
            report.fail(f"no word was in any {kind}")
    index.close()


def _kept(word: str) -> str:
    return f"This stays: {word}."


def _judge_meaning(report: Report, home: Path) -> None:
    """The vectors that are left are those of what was kept, and of what tells of it."""
    with closing(VectorStore(home / "vectors.db", BagOfWords.identity, 64)) as store:
        left = set(store.keys())
    index: Any = apsw.Connection(str(home / "conversations" / "conversations.db"))
    pages = {text for (text,) in index.execute("SELECT text FROM summaries")}
    index.close()
    said = (_YES, *map(_kept, KEPT), *erased_days.KEPT)
    kept = {piece_key(text) for text in said}
    if strange := left - kept - {piece_key(without_marks(text)) for text in pages}:
        report.fail(f"{len(strange)} vectors of erased texts are left")
    if kept - left:
        report.fail(f"{len(kept - left)} vectors of texts that were not erased are gone")


def _judge(report: Report, home: Path, gone: list[str], kept: list[str]) -> None:
    files = {path: path.read_bytes().lower() for path in home.rglob("*") if path.is_file()}
    report.tried = len(gone)
    for word in gone:
        for path, data in files.items():
            if word.encode() in data:
                report.fail(f"{word} is still in {path.relative_to(home)}")
    if not all(any(word.encode() in data for data in files.values()) for word in kept):
        report.fail("a message that was not erased is gone")
