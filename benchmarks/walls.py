"""The second wall: what it costs that the server holds every statement to the rows of one user."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from statistics import median

import psycopg

from benchmarks.result import Result
from benchmarks.sentences import sentences
from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.settings import Settings
from tests.postgres.databases import databases, looking

USERS = 20
CONVERSATIONS, MESSAGES = 200, 20
ROUNDS = 300
Work = Callable[[Palaver, int], Awaitable[object]]


def run(
    users: int = USERS, conversations: int = CONVERSATIONS, rounds: int = ROUNDS
) -> list[Result]:
    with databases() as made, tempfile.TemporaryDirectory() as home:
        url = made.create()
        up = Settings.load(home, database__url=url)
        down = Settings.load(home, database__url=looking(url))
        spent = asyncio.run(_measure(up, down, users, conversations, rounds))
    how = (
        f"A database with {users} users, each with {conversations} conversations of {MESSAGES} "
        f"messages, full text only; {rounds} times each, in turns by a role that the server holds "
        "to the rows of one user, and by a superuser, whom nothing holds."
    )
    result = Result("The wall in the database", how, axis="ms, median")
    for name, (walled, open_) in spent.items():
        result.note(f"{name} with the wall", walled * 1000, "ms")
        result.at_most(f"{name} with it to without it", walled / open_, "times", 1.25)
        result.bars += [(f"{name}, wall", walled * 1000), (f"{name}, none", open_ * 1000)]
    return [result]


async def _measure(
    up: Settings, down: Settings, users: int, conversations: int, rounds: int
) -> dict[str, tuple[float, float]]:
    words = sentences(MESSAGES * conversations)
    for number in range(users):
        await _fill(up, f"usr-{number}", words)
    with psycopg.connect(down.database.url or "", autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    async with _opened(up, "usr-0") as walled, _opened(down, "usr-0") as open_:
        ids = [one.id for one in (await walled.conversations(limit=100)).conversations]
        works: dict[str, Work] = {
            "append": lambda palaver, n: palaver.append(
                ids[n % len(ids)], role="user", content=words[n]
            ),
            "list": lambda palaver, _: palaver.conversations(limit=50),
            "messages": lambda palaver, n: palaver.messages(ids[n % len(ids)]),
            "search": lambda palaver, n: palaver.search(words[n]),
        }
        return {name: await _timed(work, (walled, open_), rounds) for name, work in works.items()}


async def _fill(settings: Settings, user: str, words: list[str]) -> None:
    async with _opened(settings, user) as palaver:
        for start in range(0, len(words), MESSAGES):
            held = await palaver.start()
            some = words[start : start + MESSAGES]
            said = [NewMessage(role="user", content=text) for text in some]
            await palaver.append_many(held.id, said)
        await palaver.settle()


def _opened(settings: Settings, user: str) -> Palaver:
    return Palaver.open(settings=settings, user=user, index_vectors=False)


async def _timed(work: Work, opened: tuple[Palaver, Palaver], rounds: int) -> tuple[float, float]:
    """How long it takes with the wall and without; now the one is first, and now the other."""
    spent: tuple[list[float], list[float]] = ([], [])
    both = list(zip(opened, spent, strict=True))
    for number in range(rounds):
        for palaver, times in both if number % 2 else reversed(both):
            started = time.perf_counter()
            await work(palaver, number)
            times.append(time.perf_counter() - started)
    return median(spent[0]), median(spent[1])
