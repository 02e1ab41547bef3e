"""Words that were erased are in no file of the home: not in the ledger, the index or its log."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from palaver import Palaver
from tests.proofs.report import Report


def canary(number: int) -> str:
    return f"canary{number:05d}zq"


def prove(canaries: int) -> Report:
    """Half go as messages, half with their conversations; some were quoted by the assistant."""
    report = Report("erased words", "canaries")
    root = Path(tempfile.mkdtemp(prefix="palaver-canaries-"))
    try:
        gone, kept = asyncio.run(_erase(report, root / "home", canaries))
        _judge(report, root / "home", gone, kept)
    finally:
        shutil.rmtree(root)
    return report


async def _erase(report: Report, home: Path, canaries: int) -> tuple[list[str], list[str]]:
    words = [canary(number) for number in range(canaries)]
    kept = [f"kept{number:05d}zq" for number in range(20)]
    async with Palaver.open(home=home) as palaver:
        held = await palaver.start()
        for word in kept:
            await palaver.append(held.id, role="user", content=f"This stays: {word}.")
        half, per_conversation = canaries // 2, 25
        messages: list[tuple[str, str]] = []
        for word in words[:half]:
            message = await palaver.append(held.id, role="user", content=f"Take {word} away.")
            messages.append((held.id, message.id))
        doomed = [await palaver.start() for _ in range(max(1, half // per_conversation))]
        for number, word in enumerate(words[half:]):
            await palaver.append(
                doomed[number % len(doomed)].id, role="user", content=f"Also {word}", key=word
            )
        await palaver.send(f"What about {words[0]}?", new=True)
        await palaver.send(f"What about {words[-1]}?", new=True)
        for conversation, message in messages:
            await palaver.redact(conversation, message)
        for conversation in doomed:
            await palaver.delete(conversation.id)
        for hit in await palaver.search(f"{words[0]} {words[-1]}"):
            await palaver.delete(hit.conversation_id)  # our own questions repeat the words
        _judge(report, home, words, kept)  # while it is running, and again when it is closed
    return words, kept


def _judge(report: Report, home: Path, gone: list[str], kept: list[str]) -> None:
    files = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    report.tried = len(gone)
    for word in gone:
        for path, data in files.items():
            if word.encode() in data:
                report.fail(f"{word} is still in {path.relative_to(home)}")
    if not all(any(word.encode() in data for data in files.values()) for word in kept):
        report.fail("a message that was not erased is gone")
