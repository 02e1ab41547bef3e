"""A server in a process of its own, with a model that answers at once, unless another is given."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI

from palaver.agent.answering import Answerer
from palaver.app import Palaver
from palaver.engines import open_accounts
from palaver.server import Address, create_app
from palaver.server.libraries import Libraries
from palaver.server.listening import config, listener
from palaver.settings import ServerSettings, Settings
from tests.conversation.scripted import Scripted, answer_by

CONSTANT = "/constant"
"""Where the same application answers the same thing to everybody."""
REPLY = "Yes, that is what was said, and nothing has changed since."


class Served(NamedTuple):
    """What a client needs to know."""

    host: str
    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


@contextmanager
def serving(
    home: Path, database_url: str | None, answerer: Answerer | None = None
) -> Generator[Served]:
    """Serves what is kept there until the block ends. Whoever answers goes to another process."""
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(home, database_url, answerer, there))
    process.start()
    try:
        yield Served(*here.recv())
    finally:
        here.send("stop")  # also when what was measured failed: else it would wait for ever
        process.join()


def _serve(
    home: Path, database_url: str | None, answerer: Answerer | None, pipe: Connection
) -> None:
    settings = Settings.load(home, database__url=database_url)
    accounts = open_accounts(settings)
    with listener(ServerSettings(port=0)) as listening, closing(accounts):
        address = Address.of(listening, None)
        token = accounts.create_token("local").secret

        async def run() -> None:
            opening = Palaver.open(settings=settings, index_vectors=False, digests=False)
            async with opening as palaver:
                answer_by(palaver, answerer or Scripted([REPLY]))
                app = create_app(Libraries(palaver, lambda _: palaver), accounts, address)
                _add_constant(app)
                server = uvicorn.Server(config(app))
                asyncio.get_running_loop().add_reader(pipe.fileno(), server.handle_exit, 15, None)
                pipe.send((address.host, address.port, token))
                await server.serve(sockets=[listening])

        asyncio.run(run())


def _add_constant(app: FastAPI) -> None:
    @app.post(CONSTANT)
    async def constant() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        return {"reply": REPLY}
