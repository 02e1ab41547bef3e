"""Where a server runs whose answers take their time, and what it has done."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import httpx

from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.server.process import Process

SLOWLY = (sys.executable, "-m", "tests.server.slowly")
SOON = 20.0


class World:
    """A home or a database, with a token."""

    def __init__(self, home: Path, database_url: str | None) -> None:
        self.home = home
        self.url = database_url
        home.mkdir()
        accounts = open_accounts(self.settings())
        self.token = accounts.create_token("local").secret
        accounts.close()

    def settings(self, **overrides: str) -> Settings:
        return Settings.load(self.home / "home", database__url=self.url, **overrides)

    def server(self, hang: str = "", **variables: str) -> Process:
        given = {"SLOWLY_NOTES": str(self.home), "SLOWLY_HANG": hang, **variables}
        return Process(self.home / "home", database_url=self.url, program=SLOWLY, variables=given)

    def client(self, server: Process) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=server.url, headers=headers, timeout=SOON)

    def done(self, what: str) -> int:
        note = self.home / what
        return len(note.read_text()) if note.exists() else 0

    def until(self, what: str, times: int = 1) -> None:
        deadline = time.monotonic() + SOON
        while self.done(what) < times:
            assert time.monotonic() < deadline, f"{what} was not reached"
            time.sleep(0.01)
