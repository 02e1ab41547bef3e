"""Two web nodes and two workers on one database, driven together, while one after the other dies.

Everybody writes through both nodes in turn and listens on one of them. Meanwhile a worker, a web
node and the database itself are killed and started again. What had no answer is sent again with
its key.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import orjson
import psycopg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from palaver.accounts import SCOPES
from palaver.app import Palaver
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.postgres.databases import looking
from tests.postgres.server import Server
from tests.proofs.report import Report
from tests.server.process import PROGRAM, Process

_PATIENCE = 180.0
_AGAIN = 0.05
_RETRIABLE = {502, 503}
_VECTORS = "SELECT count(*) FROM palaver.vectors"
_POSITIONS = """
SELECT u.name, array_agg(l.pos ORDER BY l.pos), array_agg(l.seq ORDER BY l.pos), u.pos,
    count(*) FILTER (WHERE l.line LIKE '{"type":"event"%')
FROM palaver.lines AS l JOIN palaver.users AS u ON u.no = l.owner GROUP BY u.no
"""


class Cluster:
    """The processes; each can be killed and started again in the same place."""

    def __init__(self, root: Path, url: str) -> None:
        self._root = root
        self._url = url
        self.webs = [self._web(0), self._web(1)]
        self.urls = [web.url for web in self.webs]
        self.workers = [self._worker(0), self._worker(1)]

    def kill_web(self) -> None:
        port = self.webs[1].port
        self.webs[1].kill()
        self.webs[1] = self._web(1, port)

    def kill_worker(self) -> None:
        self.workers[1].kill()
        self.workers[1].wait()
        self.workers[1] = self._worker(1)

    def close(self) -> None:
        for process in (*self.webs, *self.workers):
            process.kill()
            process.wait()

    def _web(self, number: int, port: int = 0) -> Process:
        home = self._root / f"web{number}"
        home.mkdir(exist_ok=True)
        (home / "config.yaml").write_text("jobs: {worker: false}", encoding="utf-8")
        return Process(home, port, database_url=self._url)

    def _worker(self, number: int) -> subprocess.Popen[bytes]:
        command = [PROGRAM, "worker", "--home", str(self._root / f"worker{number}")]
        return subprocess.Popen([*command, "--database-url", self._url], stderr=subprocess.DEVNULL)


class Person:
    """Somebody who writes through both nodes in turn and listens on one of them."""

    def __init__(self, number: int, secret: str, urls: Sequence[str], messages: int) -> None:
        self.user = f"usr-{number}"
        self.said = [f"{self.user} says {n}" for n in range(messages)]
        self.heard: list[str] = []
        self.numbers: list[int] = []
        """The ids of the events, as they came."""
        self.written = 0
        self._urls = urls
        self._headers = {"Authorization": f"Bearer {secret}"}
        self._listens_at = urls[number % 2].replace("http:", "ws:")

    async def talk(self) -> None:
        async with httpx.AsyncClient(headers=self._headers, timeout=60) as client:
            made = {"title": self.user, "key": "made"}
            conversation = (await self._post(client, 0, "/api/conversations", made))["id"]
            path = f"/api/conversations/{conversation}/messages"
            for number, content in enumerate(self.said):
                message = {"role": "user", "content": content, "key": f"k{number}"}
                await self._post(client, number, path, message)
                self.written += 1

    async def _post(
        self, client: httpx.AsyncClient, number: int, path: str, body: dict[str, str]
    ) -> dict[str, str]:
        """Sends it until it is answered, to the other node each time."""
        while True:
            try:
                answer = await client.post(self._urls[number % 2] + path, json=body)
                if answer.status_code not in _RETRIABLE:
                    assert answer.status_code in (200, 201), answer.text
                    return answer.json()
            except httpx.TransportError:
                pass
            await asyncio.sleep(_AGAIN)
            number += 1

    async def listen(self) -> None:
        """Hears everything that was said; comes back when it is cut off."""
        while len(self.heard) < len(self.said):
            after = f"?after={self.numbers[-1] if self.numbers else 0}"
            try:
                async with connect(
                    f"{self._listens_at}/ws{after}", additional_headers=self._headers
                ) as socket:
                    while len(self.heard) < len(self.said):
                        self._hear(orjson.loads(await socket.recv()))
            except (OSError, ConnectionClosed, InvalidHandshake, EOFError):
                await asyncio.sleep(_AGAIN)

    def _hear(self, event: dict[str, Any]) -> None:
        match event:
            case {
                "type": "conversation_updated",
                "eventId": int(number),
                "turn": {"content": text},
            }:
                self.numbers.append(number)
                self.heard.append(text)
            case _:
                pass


def prove(messages: int, *, people: int = 50, troubles: bool = True) -> Report:
    report = Report("two web nodes and two workers", "messages")
    root = Path(tempfile.mkdtemp(prefix="palaver-cluster-"))
    server = Server(max_connections="200")
    try:
        secrets = _make_users(root, server.url, people)
        with closing(Cluster(root, server.url)) as cluster:
            crowd = [
                Person(n, secret, cluster.urls, messages // people)
                for n, secret in enumerate(secrets)
            ]
            worst = [cluster.kill_worker, cluster.kill_web, lambda: _restart(server)]
            asyncio.run(_drive(report, crowd, worst if troubles else []))
            asyncio.run(_judge(report, crowd, server.url))
            _judge_work(report, crowd, server.url)
    finally:
        server.remove()
        shutil.rmtree(root)
    return report


def _make_users(root: Path, url: str, people: int) -> list[str]:
    settings = Settings.load(root, database__url=url)
    with closing(open_accounts(settings)) as accounts:
        return [accounts.create_token(f"usr-{n}", scopes=SCOPES).secret for n in range(people)]


def _restart(server: Server) -> None:
    server.stop("QUIT")
    server.start()


async def _drive(
    report: Report, crowd: Sequence[Person], troubles: Sequence[Callable[[], None]]
) -> None:
    """Everybody talks and listens; the troubles come one after the other meanwhile."""
    total = sum(len(person.said) for person in crowd)
    doings = [one for person in crowd for one in (person.talk(), person.listen())]
    working = [asyncio.create_task(one) for one in doings]
    for number, trouble in enumerate(troubles, 1):
        while sum(person.written for person in crowd) < total * number / (len(troubles) + 1):
            await asyncio.sleep(_AGAIN)
            if broken := [task for task in working if task.done() and task.exception()]:
                raise AssertionError(broken)
        await asyncio.to_thread(trouble)
    try:
        await asyncio.wait_for(asyncio.gather(*working), _PATIENCE)
    except TimeoutError:
        report.fail("not everything was heard in time")
    report.tried = sum(person.written for person in crowd)
    report.notes.append(f"{len(crowd)} people, {len(troubles)} kills")


async def _judge(report: Report, crowd: Sequence[Person], url: str) -> None:
    stored: dict[str, list[Any]] = {name: row for name, *row in _rows(url, _POSITIONS)}
    for person in crowd:
        if person.heard != person.said:
            report.fail(f"{person.user} did not hear what was said, in order and once")
        if person.numbers != sorted(set(person.numbers)):
            report.fail(f"{person.user} heard an event out of order")
        # Whoever stops listening has left the conversation, and it may get an abbreviation.
        places, seqs, last, digests = stored.get(person.user) or [[], [], 0, 0]
        if (places, seqs) != (list(range(1, last + 1)), list(range(last))):
            report.fail(f"the ledger of {person.user} has gaps")
        if last - digests != len(person.said) + 1:
            report.fail(f"the ledger of {person.user} has other lines")
        async with Palaver.open(database_url=url, user=person.user) as palaver:
            report.failures += [str(finding) for finding in await palaver.verify()]
            found = await palaver.search("says", limit=50)
            if {one.title for one in found} != {person.user}:
                report.fail(f"{person.user} finds what is not theirs, or nothing")
            if palaver.health().status != "ok":
                report.fail(f"{person.user}: {palaver.health().detail}")


def _judge_work(report: Report, crowd: Sequence[Person], url: str) -> None:
    """The workers do what is due, whoever was killed."""
    wanted = sum(len(person.said) for person in crowd)
    end = time.monotonic() + _PATIENCE
    while (found := _rows(url, _VECTORS)[0][0]) < wanted and time.monotonic() < end:
        time.sleep(1)
    if found < wanted:
        report.fail(f"{found} vectors for {wanted} messages")


def _rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(looking(url)) as connection:
        return connection.execute(statement.encode()).fetchall()
