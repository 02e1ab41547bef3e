"""Ledgers with an index that follows them, to ask the same questions of every engine.

An engine is added to `ENGINES`: something that opens a world.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from palaver.engines.background import Background
from palaver.index.evidence import Evidence
from palaver.index.meaning.meaning import Load
from palaver.index.port import ConversationFilter, Index, Question, SearchFilter, Where
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.shared import Shared
from palaver.index.records import ConversationMeta, Message
from palaver.index.sqlite.index import SqliteIndex
from palaver.ledger.files import FileLedger, FileStore, Home, OsFileOps
from palaver.ledger.lines import Draft, Line, event, meta, turn
from palaver.ledger.memory import MemoryLedger
from palaver.ledger.port import Erasure, Ledger
from palaver.ledger.postgres import Committer, PostgresLedger, PostgresSource
from palaver.postgres import Pool
from palaver.text import Term, query_terms

USER = "local"
A, B, C = "conv-A", "conv-B", "conv-C"


class Ticking:
    """A clock that goes on by a second at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Unsynced(OsFileOps):
    """The real file system without waiting for the disk: nothing here loses power."""

    def sync(self, handle: int) -> None:
        pass


Ledger_co = TypeVar("Ledger_co", bound=Ledger, covariant=True)
Index_co = TypeVar("Index_co", bound=Index, covariant=True)


@dataclass(frozen=True)
class AnyWorld(Generic[Ledger_co, Index_co]):
    """A ledger and the index that follows it."""

    ledger: Ledger_co
    index: Index_co

    async def write(self, *drafts: Draft) -> list[Line]:
        return [item.line for item in await self.ledger.append(drafts)]

    async def begin(self, stream: str = A, *contents: str, **fields: Any) -> list[Line]:
        """A conversation in which user and assistant take turns; the meta line comes first."""
        given = {"channel": "web", "mode": "standard", "participants": ["user"], **fields}
        drafts = [meta(stream, user=USER, **given)]
        drafts += [turn(stream, ("user", "assistant")[n % 2], c) for n, c in enumerate(contents)]
        return await self.write(*drafts)

    async def say(self, stream: str, role: str, content: str, **fields: Any) -> Line:
        return (await self.write(turn(stream, role, content, **fields)))[0]

    async def happen(self, stream: str, name: str, **fields: Any) -> Line:
        return (await self.write(event(stream, name, **fields)))[0]

    async def erase(self, **erasure: Any) -> list[Line]:
        return await self.ledger.erase(Erasure(**erasure))

    # -- questions ---------------------------------------------------------------------------

    async def conversation(self, stream: str = A) -> ConversationMeta:
        return await self.index.conversation(USER, stream)

    async def listed(self, limit: int = 50, **wanted: Any) -> list[str]:
        found = await self.index.conversations(USER, ConversationFilter(**wanted), limit=limit)
        return [one.id for one in found]

    async def messages(self, stream: str = A, **where: Any) -> list[Message]:
        page = await self.index.messages(USER, stream, Where(**where), limit=1000)
        return page.messages

    async def contents(self, stream: str = A, **where: Any) -> list[str]:
        return [message.content for message in await self.messages(stream, **where)]

    async def terms(self, *words: str) -> list[Term]:
        """What the words are looked for as, each alone: none of them is too common."""
        languages = await self.index.languages(USER)
        return [term for word in words for term in query_terms(word, languages)]

    async def evidence(self, *words: str, text: str = "", **wanted: Any) -> Evidence:
        question = Question(await self.terms(*words), text)
        return await self.index.evidence(USER, question, SearchFilter(**wanted))

    async def found(self, *words: str, **wanted: Any) -> list[str]:
        """What the messages say that hold any of the words; those that hold most of them first,
        then the shortest."""
        evidence = await self.evidence(*words, **wanted)
        held = evidence.counts.astype(bool).sum(axis=1)
        hits = np.flatnonzero(evidence.eligible & (held > 0))
        order = np.lexsort((evidence.time[hits], evidence.length[hits], -held[hits]))
        every = places_in(evidence)
        places = [every[int(hit)] for hit in hits[order]]
        messages = await self.index.at(USER, list(dict.fromkeys(places)))
        return [message.content for message in messages]


def places_in(evidence: Evidence) -> list[tuple[str, int]]:
    """Of which message each piece is a part: its conversation and its line."""
    names = [evidence.conversations[number] for number in evidence.conversation.tolist()]
    return list(zip(names, evidence.seq.tolist(), strict=True))


World = AnyWorld[Ledger, Index]


@dataclass(frozen=True)
class FileWorld(AnyWorld[FileLedger, SqliteIndex]):
    """The embedded engine: files, and SQLite beside them."""

    home: Home
    store: FileStore

    def file(self, stream: str = A) -> Path:
        return self.home.stream(stream)

    async def close(self) -> None:
        await self.ledger.close()
        await self.index.close()


async def open_files(folder: Path, load: Load | None = None) -> FileWorld:
    """Opens the home in `folder`, or makes it; the caller closes it."""
    home = Home(folder / "home")
    home.create()
    store = FileStore(home, Unsynced())
    index = SqliteIndex(home.index, USER, store, load=load)
    ledger = FileLedger(store, index, Ticking(), user=USER)
    await ledger.open()
    await index.open()
    return FileWorld(ledger, index, home, store)


@asynccontextmanager
async def files(folder: Path) -> AsyncGenerator[FileWorld]:
    world = await open_files(folder)
    yield world
    await world.close()


class Following:
    """Stands for the index until there is one: ledger and index know each other."""

    def __init__(self) -> None:
        self.index: SqliteIndex | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)


@asynccontextmanager
async def memory(folder: Path) -> AsyncGenerator[World]:
    following: Any = Following()
    ledger = MemoryLedger(USER, following, Ticking())
    path = folder / "conversations" / "conversations.db"
    path.parent.mkdir()
    index = following.index = SqliteIndex(path, USER, ledger)
    await index.open()
    yield World(ledger, index)
    await index.close()


@dataclass(frozen=True)
class PostgresWorld(AnyWorld[PostgresLedger, PostgresIndex]):
    """A node on a database, and what it keeps there of one user."""

    pool: Pool
    shared: Shared
    committer: Committer

    async def user(self, name: str) -> PostgresWorld:
        """Another user of the same node; the caller closes the index."""
        source = PostgresSource(self.pool, name)
        index = PostgresIndex(self.shared, source)
        await index.open()
        ledger = PostgresLedger(source, self.committer)
        return PostgresWorld(ledger, index, self.pool, self.shared, self.committer)


@asynccontextmanager
async def node(url: str, **given: Any) -> AsyncGenerator[PostgresWorld]:
    """A node, and its index for one user."""
    pool = Pool(url)
    shared = Shared(pool, **given)
    load: Load | None = given.get("load")
    Background().attach(url, shared, (lambda: _model(load)) if load else None)
    shared.open()
    committer = Committer(pool, shared.follower, clock=Ticking())
    source = PostgresSource(pool, USER)
    index = PostgresIndex(shared, source)
    await index.open()
    yield PostgresWorld(PostgresLedger(source, committer), index, pool, shared, committer)
    committer.close()
    await index.close()
    shared.close()
    pool.close()


def _model(load: Load) -> str:
    """Which model it is; any other name for one that cannot be had."""
    try:
        return load().identity
    except RuntimeError:
        return "none"


Engine = Callable[[Path, Callable[[], str]], AbstractAsyncContextManager[World]]
"""Opens a world in an empty folder, or in the database whose address the other one gives."""
ENGINES: dict[str, Engine] = {
    "sqlite, files": lambda folder, url: files(folder),
    "sqlite, memory": lambda folder, url: memory(folder),
    "postgres": lambda folder, url: node(url()),
}
