"""Words that were erased are in no row of a database, nor are those of a reply that is stored.

While a reply is made its words are in tables of their own, for whoever follows it on another node.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg

from palaver import Palaver
from palaver.settings import Settings
from tests.conversation.nodes import Nodes, first_reply, opened
from tests.conversation.scripted import Scripted, answer_by
from tests.conversation.test_replies import Halt
from tests.library import Clock
from tests.postgres.databases import databases, looking
from tests.proofs import erased_days
from tests.proofs.canaries import KEPT, OF_DAYS, canary
from tests.proofs.report import Report

_TABLES = """
SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
WHERE table_schema LIKE 'palaver%' AND table_type = 'BASE TABLE'
"""
_REPLIES = 4
"""So many are made while they are followed; every other is erased before it is done."""


def prove(canaries: int) -> Report:
    """A third go as messages, a third with their conversations, a third were said in replies."""
    report = Report("erased words in a database", "canaries")
    with databases() as made, tempfile.TemporaryDirectory() as root:
        url = made.create()
        asyncio.run(_prove(report, Path(root), url, canaries))
    return report


async def _prove(report: Report, root: Path, url: str, canaries: int) -> None:
    words = [canary(number) for number in range(canaries)]
    third = canaries // 3
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(opened(root / name, url)) for name in ("a", "b")
        ]
        nodes = Nodes(here, there, url)
        kept = await here.start()
        for word in KEPT:
            await here.append(kept.id, role="user", content=f"This stays: {word}.")
        await _redact(here, kept.id, words[:third])
        await _delete(here, words[third : 2 * third])
        words += await _days(report, root, url)
        for number in range(_REPLIES):
            said = words[2 * third :][number::_REPLIES]
            await _reply(report, nodes, said, in_the_middle=bool(number % 2))
        await here.settle()
    if nodes.left():
        report.fail("something is left of replies that are not made any more")
    report.tried = len(words)
    _judge(report, _rows(url), words)


async def _redact(palaver: Palaver, place: str, words: list[str]) -> None:
    said = [
        await palaver.append(place, role="user", content=f"Take {word} away.") for word in words
    ]
    for message in said:
        await palaver.redact(place, message.id)


async def _days(report: Report, root: Path, url: str) -> list[str]:
    """Pages of days had words on them that were erased."""
    words, clock = [canary(OF_DAYS + number) for number in range(12)], Clock()
    settings = Settings.load(root / "c", database__url=url)
    async with Palaver.open(settings=settings, clock=clock, index_vectors=False) as palaver:
        going = await erased_days.live(palaver, clock, words)
        await erased_days.erase(palaver, report, going, words)
    return words


async def _delete(palaver: Palaver, words: list[str]) -> None:
    place = await palaver.start()
    for word in words:
        await palaver.append(place.id, role="user", content=f"Also {word}", key=word)
    await palaver.delete(place.id)


async def _reply(report: Report, nodes: Nodes, words: list[str], *, in_the_middle: bool) -> None:
    """It says the words while somebody follows it on the other node."""
    halt = Halt()
    answer_by(nodes.here, Scripted([" ".join(words), halt]))
    async with first_reply(nodes.there) as coming:
        place = await nodes.begin("Say them.")
        await coming
        await nodes.until(lambda: all(word in str(nodes.left()) for word in words))
        if in_the_middle:
            await nodes.there.delete(place)
            if any(word in str(nodes.left()) for word in words):
                report.fail("an erasure leaves what there is of a reply")
        halt.go_on.set()
        await nodes.here.finish_replies()
    if not in_the_middle:
        await nodes.there.delete(place)


def _rows(url: str) -> dict[str, str]:
    """Everything that is in each table; bytes as they are written there, in hexadecimal."""
    with psycopg.connect(looking(url)) as connection:
        return {
            table: str(connection.execute(f"SELECT t::text FROM {table} AS t".encode()).fetchall())
            for (table,) in connection.execute(_TABLES).fetchall()
        }


def _judge(report: Report, rows: dict[str, str], words: list[str]) -> None:
    for table, text in rows.items():
        found = [word for word in words if word in text or word.encode().hex() in text]
        if found:
            report.fail(f"{table} holds {len(found)} words that were erased")
    if not all(any(word in text for text in rows.values()) for word in KEPT):
        report.fail("a message that was not erased is gone")
