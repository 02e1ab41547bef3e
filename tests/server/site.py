"""A real server on a free port of this machine, in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from palaver.accounts import DEFAULT_SCOPES, Accounts
from palaver.app import Palaver
from palaver.channels.connection import Connection
from palaver.channels.directory import Directory
from palaver.engines import open_accounts
from palaver.ledger.files import Home
from palaver.ledger.lines import Draft
from palaver.server import Address, create_app
from palaver.server.libraries import open_libraries
from palaver.server.listening import listener
from palaver.server.running import Server, config
from palaver.settings import LimitSettings, ServerSettings, Settings
from palaver.times import Clock, system_clock

Made = TypeVar("Made")


class Roost(Directory):
    """Channels, of which more may come while the server runs."""

    def add(self, connection: Connection) -> None:
        self._connections[connection.name] = connection


@dataclass(frozen=True, slots=True)
class Site:
    """What a test needs to know of a running server."""

    home: Home
    address: Address
    accounts: Accounts
    channels: Roost = field(default_factory=Roost)
    running: Future[tuple[asyncio.AbstractEventLoop, Server]] = field(
        default_factory=Future[tuple[asyncio.AbstractEventLoop, Server]]
    )

    def stop(self) -> None:
        """As a signal does."""
        loop, server = self.running.result()
        loop.call_soon_threadsafe(server.stop)

    @property
    def url(self) -> str:
        return self.address.url

    @property
    def cookie(self) -> str:
        return self.address.cookie

    def client(self, **headers: str) -> httpx.Client:
        """A client that carries no credentials of its own."""
        here = f"http://{self.address.host}:{self.address.port}"
        # Nothing is encrypted on this machine: to read all certificates takes longer than a test.
        return httpx.Client(base_url=here, headers=headers, timeout=30, verify=False)

    def program(self, scopes: Iterable[str] = DEFAULT_SCOPES, user: str = "local") -> httpx.Client:
        """A client with a token."""
        secret = self.accounts.create_token(user, scopes=scopes).secret
        return self.client(Authorization=f"Bearer {secret}")

    def browser(self, user: str = "local") -> httpx.Client:
        """A client that is signed in and speaks from Palaver's own page."""
        client = self.client(Origin=self.url)
        client.cookies.set(self.cookie, self.accounts.sign_in(user))
        return client

    def append(self, *drafts: Draft) -> None:
        """Stores lines as another process would."""

        async def write() -> None:
            async with Palaver.open(self.home.root, index_vectors=False) as palaver:
                await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]

        with ThreadPoolExecutor(1) as another:  # this one may run a loop already
            another.submit(lambda: asyncio.run(write())).result()

    def within(self, work: Callable[[Palaver], Awaitable[Made]], user: str = "local") -> Made:
        """Does something with the library of somebody, where the server runs."""
        loop, server = self.running.result()

        async def do() -> Made:
            libraries = server._entry.libraries  # pyright: ignore[reportPrivateUsage]
            async with libraries.of(user) as palaver:
                return await work(palaver)

        return asyncio.run_coroutine_threadsafe(do(), loop).result()

    def stored(self) -> dict[str, bytes]:
        """Every byte of the ledger."""
        return {path.name: path.read_bytes() for path in self.home.root.rglob("*.jsonl")}


@contextmanager
def running_site(
    root: Path,
    *,
    index_vectors: bool = False,
    database_url: str | None = None,
    public_url: str | None = None,
    limits: LimitSettings | None = None,
    channels: Sequence[Connection] = (),
    clock: Clock = system_clock,
) -> Generator[Site]:
    """Serves the home `root` until the block ends; most tests need no search by meaning, and no
    channels."""
    settings = Settings.load(
        root, server__port=0, server__public_url=public_url, database__url=database_url
    )
    with listener(ServerSettings(port=0)) as listening:
        accounts = open_accounts(settings)
        site = Site(
            Home(root),
            Address.of(listening, settings.server.public_url),
            accounts,
            Roost(channels),
        )

        def open_for(user: str) -> Palaver:
            return Palaver.open(
                settings=settings,
                user=user,
                index_vectors=index_vectors,
                channels=site.channels,
                clock=clock,
            )

        async def run() -> None:
            async with open_libraries("local", open_for) as libraries:
                app = create_app(
                    libraries,
                    accounts,
                    site.address,
                    limits=limits,
                    channels=site.channels,
                    clock=clock,
                )
                server = Server(config(app), app.state.entry)
                site.running.set_result((asyncio.get_running_loop(), server))
                await server.serve(sockets=[listening])

        with ThreadPoolExecutor(1) as pool:
            ended = pool.submit(lambda: asyncio.run(run()))
            either: list[Future[Any]] = [site.running, ended]
            wait(either, return_when=FIRST_COMPLETED)
            if not site.running.done():
                ended.result()
            try:
                yield site
            finally:
                site.stop()
            ended.result()
        accounts.close()
