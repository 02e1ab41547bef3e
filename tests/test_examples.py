"""The programs in examples/ do what the pages say of them, against a real server."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import httpx
import pytest

from tests.postgres.databases import Databases
from tests.relay import Relay
from tests.server.site import Site, running_site

CLIENT = Path(__file__).parent.parent / "examples" / "client.py"
MOST_LINES = 50
SOON = 20.0


class Terminal:
    """The client as somebody runs it: what they type, and what they see."""

    def __init__(self, url: str, token: str) -> None:
        address = url.replace("http", "ws", 1)
        self._process = subprocess.Popen(
            [sys.executable, str(CLIENT)],
            env={**os.environ, "URL": address, "TOKEN": token, "PYTHONUTF8": "1"},
            stdin=PIPE,
            stdout=PIPE,
        )
        self._seen = b""
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while read := os.read(self._process.stdout.fileno(), 1 << 16):
            with self._more:
                self._seen += read
                self._more.notify_all()

    def type(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        self._process.stdin.flush()

    def seen(self, size: int) -> str:
        """What is seen once it is so long, in bytes."""
        with self._more:
            assert self._more.wait_for(lambda: len(self._seen) >= size, SOON), self._seen
            return self._seen.decode()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._reader.join()


@contextmanager
def terminal(site: Site) -> Generator[Terminal]:
    opened = Terminal(site.url, site.accounts.create_token("local").secret)
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture(params=["files", "database"])
def url(request: pytest.FixtureRequest, postgres: Databases) -> Iterator[str | None]:
    made = postgres.create() if request.param == "database" else None
    yield made
    if made is not None:
        postgres.drop(made)


def transcript(api: httpx.Client) -> str:
    """All of the latest conversation, as the client shows it, once everything is answered."""
    found = api.get("/api/conversations/current").json()["id"]
    page = api.get(f"/api/conversations/{found}/messages").json()
    return "".join(f"\n{one['role']}: {one['content']}" for one in page["messages"])


def answered(api: httpx.Client, turns: int) -> str:
    """The transcript when so many turns have their answers."""
    until = time.monotonic() + SOON
    while (text := transcript(api)).count("\nassistant: ") != turns:
        assert time.monotonic() < until, text
        time.sleep(0.05)
    return text


def test_the_client_shows_says_and_goes_on_where_it_was_cut_off(
    url: str | None, tmp_path: Path
) -> None:
    """Whatever byte it is cut off at, nothing is missing and nothing comes twice."""
    with (
        Relay() as relay,
        running_site(tmp_path, database_url=url, public_url=relay.url) as site,
        site.program() as api,
    ):
        relay.lead_to(site.address.port)
        api.post("/api/chat", json={"message": "The figs ripen in August. 🌿"})
        with terminal(site) as opened:
            for number, size in enumerate((0, 300, 1_000, 2_000), start=2):
                relay.cut_after(size)
                opened.type(f"When do the figs ripen? ({number})")
                expected = answered(api, number)
                assert Counter(opened.seen(len(expected.encode()))) == Counter(expected)
            assert relay.cuts == 4


def test_the_client_begins_the_first_conversation(tmp_path: Path) -> None:
    with running_site(tmp_path) as site, site.program() as api, terminal(site) as opened:
        opened.type("Hello")
        opened.seen(len("\nuser: Hello"))
        expected = answered(api, 1)
        assert Counter(opened.seen(len(expected.encode()))) == Counter(expected)


def test_the_client_has_no_more_lines_than_the_page_promises() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
