"""What befalls a database, as clients of the API see it: a code, when to try again, no doubles."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import psycopg
import pytest

from palaver.accounts import SCOPES
from palaver.engines.nodes import NODES
from palaver.postgres import Pool
from tests.postgres.databases import Databases, ours
from tests.postgres.proxy import Cut, Proxy
from tests.server.site import running_site
from tests.server.test_access import refusal

REFUSE = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'secret' USING ERRCODE = '53100', DETAIL = 'secret', HINT = 'secret';
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON palaver.lines FOR EACH ROW EXECUTE FUNCTION refuse();
"""


class Room:
    """A conversation, seen by a client."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.path = ""

    def begin(self) -> None:
        made = self.client.post("/api/conversations", json={"title": "Faults"}).json()
        self.path = f"/api/conversations/{made['id']}/messages"

    def say(self, content: str) -> httpx.Response:
        message = {"role": "user", "content": content, "key": content}
        return self.client.post(self.path, json=message)

    def said(self) -> list[str]:
        page = self.client.get(self.path, params={"limit": 200}).json()
        return [message["content"] for message in page["messages"]]


@contextmanager
def room_on(url: str, home: Path) -> Generator[Room]:
    with running_site(home, database_url=url) as site, site.program(SCOPES) as client:
        room = Room(client)
        room.begin()
        yield room


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long, for a lock or for a connection."""
    given: dict[str, Any] = dict(Pool.__init__.__kwdefaults__ or {})
    given |= {"wait_seconds": 0.3, "lock_seconds": 0.3}
    monkeypatch.setattr(Pool.__init__, "__kwdefaults__", given)


@pytest.mark.parametrize("how", ["INT", "QUIT"])
def test_a_server_restarted_among_messages(
    postgres: Databases, database_url: str, tmp_path: Path, how: Any
) -> None:
    server, over = ours(postgres), Event()
    stored: list[str] = []
    refused: list[httpx.Response] = []

    def talk(name: int, room: Room) -> None:
        for number in count():
            content = f"{name}:{number}"
            while (answer := room.say(content)).status_code != 201:
                refused.append(answer)
            stored.append(content)
            if over.is_set():
                return

    with room_on(database_url, tmp_path) as room, ThreadPoolExecutor(4) as together:
        talking = [together.submit(talk, name, room) for name in range(4)]
        while len(stored) < 20:
            room.client.get("/healthz")
        server.stop(how)
        while not refused:
            room.client.get("/healthz")
        server.start()
        over.set()
        for one in talking:
            one.result()
        assert sorted(room.said()) == sorted(stored)
    for answer in refused:
        status, code = refusal(answer)
        assert (status, code) in {(503, "storage_unreachable"), (503, "storage_uncertain")}
        assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize("cut", ["before commit", "after commit", "shut down after commit"])
def test_a_line_that_is_cut_at_the_commit_is_not_noticed(
    postgres: Databases, database_url: str, tmp_path: Path, cut: Cut
) -> None:
    ours(postgres)
    proxy = Proxy(database_url)
    with room_on(proxy.url, tmp_path) as room:
        proxy.words, proxy.cut = b"The xylophone is blue.", cut
        assert room.say("The xylophone is blue.").status_code == 201
        assert proxy.cuts == 1
        assert room.say("The xylophone is blue.").status_code == 201
        assert room.said() == ["The xylophone is blue."]
    proxy.close()


def test_what_only_reads_is_never_uncertain(
    postgres: Databases, database_url: str, tmp_path: Path
) -> None:
    ours(postgres)
    proxy = Proxy(database_url)
    with room_on(proxy.url, tmp_path) as room:
        name = room.path.split("/")[3]
        proxy.words, proxy.cut = name.encode(), "after commit"
        answer = room.client.get(room.path)
        assert proxy.cuts == 1
        assert refusal(answer) == (503, "storage_unreachable")
        assert room.said() == []
    proxy.close()


def test_a_full_disk_is_told(database_url: str, tmp_path: Path) -> None:
    with room_on(database_url, tmp_path) as room, psycopg.connect(database_url) as server:
        server.execute(REFUSE)
        server.commit()
        answer = room.say("x")
        assert refusal(answer) == (507, "storage_full")
        assert "secret" not in answer.text
        server.execute("DROP FUNCTION refuse CASCADE")
        server.commit()
        assert room.say("x").status_code == 201
        assert room.said() == ["x"]


@pytest.mark.usefixtures("impatient")
def test_a_lock_is_waited_for_in_time_only(database_url: str, tmp_path: Path) -> None:
    with room_on(database_url, tmp_path) as room:
        with psycopg.connect(database_url) as somebody:
            somebody.execute("SELECT FROM palaver.users FOR UPDATE")
            answer = room.say("x")
            assert refusal(answer) == (503, "storage_busy")
            assert answer.headers["retry-after"] == "1"
            assert room.said() == []  # whoever reads waits for nobody
        assert room.say("x").status_code == 201
        assert room.said() == ["x"]


@pytest.mark.usefixtures("impatient")
def test_a_node_without_a_free_connection_says_so(database_url: str, tmp_path: Path) -> None:
    with room_on(database_url, tmp_path) as room:
        with everything_taken(database_url):
            for answer in (room.client.get(room.path), room.say("x")):
                assert refusal(answer) == (503, "storage_busy")
                assert answer.headers["retry-after"] == "1"
        assert room.say("x").status_code == 201
        assert room.said() == ["x"]


@contextmanager
def everything_taken(url: str) -> Generator[None]:
    """Others have all connections of the node, for reading and for committing."""
    (held,) = [held for key, held in NODES._held.items() if key[0] == url]  # pyright: ignore[reportPrivateUsage]
    commits: Pool = held.node._committer._pool  # pyright: ignore[reportPrivateUsage]
    with ExitStack() as stack:
        for pool in (held.node.pool, commits):
            for _ in range(pool._size):  # pyright: ignore[reportPrivateUsage]
                stack.enter_context(pool.connection())
        yield
