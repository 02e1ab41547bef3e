"""Sockets: how soon a message is at all tabs of its user, beside many others and a flood."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

from benchmarks.result import Result
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.postgres.server import Server
from tests.server.process import Process

_RSS = re.compile(r"VmRSS:\s+(\d+) kB")
User = tuple[str, int, bool]
"""A token, how many tabs there are, and whether somebody writes."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    idle_users: int = 200
    idle_tabs: int = 10
    active_users: int = 50
    active_tabs: int = 4
    messages: int = 300
    pause: float = 0.1

    @property
    def idle(self) -> int:
        return self.idle_users * self.idle_tabs

    @property
    def all(self) -> int:
        return self.idle + self.active_users * self.active_tabs


@dataclass(frozen=True, slots=True)
class People:
    """Who takes part; `flood` is the token of the one who floods."""

    idle: list[User]
    busy: list[User]
    flood: str


class Crowd:
    """The process with all the tabs."""

    def __init__(self, url: str, users: list[User], *, greeted: bool = True) -> None:
        self._process = _python("benchmarks.crowd")
        where = urlsplit(url)
        spec = {"host": where.hostname, "port": where.port, "users": users, "greeted": greeted}
        self._ask(spec)

    def talk(self, size: Size) -> Spent:
        told = self._ask([size.messages, size.pause])
        return Spent(told["spent"], told["lost"])

    def _ask(self, what: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        _end(self._process)


@dataclass(frozen=True, slots=True)
class Spent:
    """How long it took until a message was at all tabs, and how many were lost on the way."""

    seconds: list[float]
    lost: int

    @property
    def cuts(self) -> tuple[float, float]:
        """p50 and p95, in milliseconds."""
        found = quantiles(self.seconds, n=20)
        return found[9] * 1000, found[18] * 1000


def run(size: Size | None = None) -> list[Result]:
    _many_files()
    size = size or Size()
    return [_many_users(size), _one_user(size)]


def _many_users(size: Size) -> Result:
    result = Result(
        "Sockets of many users",
        f"PostgreSQL and one node; {size.idle:,} idle sockets of {size.idle_users} users, and "
        f"{size.active_users} users with {size.active_tabs} tabs each who write, "
        f"{1 / size.pause:g} messages a second. The flood is one more client: frames of 1 GiB, "
        "pings and requests to show a conversation without end, and 100 sockets that never read.",
        axis="ms until a message is at all tabs",
    )
    server = Server(shared_buffers="256MB", max_connections="200")
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.yaml").write_text("jobs: {worker: false}", encoding="utf-8")
            names = [f"usr-{number}" for number in range(size.idle_users + size.active_users + 1)]
            *tokens, flood = _tokens(Settings.load(folder, database__url=server.url), names)
            idle: list[User] = [(one, size.idle_tabs, False) for one in tokens[: size.idle_users]]
            busy: list[User] = [(one, size.active_tabs, True) for one in tokens[size.idle_users :]]
            with Process(Path(folder), database_url=server.url) as served:
                _measure(result, size, served, People(idle, busy, flood))
    finally:
        server.remove()
    return result


def _one_user(size: Size) -> Result:
    size = replace(size, messages=size.messages // 3, pause=size.pause * 2)
    result = Result(
        "Sockets of one user",
        f"A home; one user with {size.all:,} tabs, all of which get every message, "
        f"{1 / size.pause:g} a second. The flood comes from the same user.",
        axis="ms until a message is at all tabs",
    )
    with tempfile.TemporaryDirectory() as folder:
        token, flood = _tokens(Settings.load(folder), ["local", "local"])
        with Process(Path(folder)) as served:
            _measure(result, size, served, People([], [(token, size.all, True)], flood))
    return result


def _measure(result: Result, size: Size, served: Process, people: People) -> None:
    idle, busy, flood = people.idle, people.busy, people.flood
    with closing(Crowd(served.url, [(flood, 1, True)])) as first:
        first.talk(replace(size, messages=5))  # what is loaded once is loaded now
    result.note(
        "memory for each idle socket", _memory_for_each(served, idle or _halves(busy)), "KiB"
    )
    with (
        closing(Crowd(served.url, idle)) as others,
        closing(Crowd(served.url, busy)) as crowd,
    ):
        alone = crowd.talk(size)
        with _flooding(served.url, flood):
            beside = crowd.talk(size)
        lost = alone.lost + beside.lost + others.talk(replace(size, messages=0)).lost
    bare = _bare(size, idle, busy)
    for name, spent, most in (("alone", alone, 100), ("beside a flood", beside, 250)):
        half, most_of_all = spent.cuts
        result.note(f"p50 {name}", half, "ms")
        result.at_most(f"p95 {name}", most_of_all, "ms", most)
        result.bars += [(f"p50 {name}", half), (f"p95 {name}", most_of_all)]
    result.at_most("messages and tabs lost", lost, "", 0)
    result.note("p95 of bare uvicorn that only passes it on", bare.cuts[1], "ms")
    result.note("ratio of the p95", alone.cuts[1] / bare.cuts[1], "")
    result.bars.append(("p95 of bare uvicorn", bare.cuts[1]))


def _bare(size: Size, idle: list[User], busy: list[User]) -> Spent:
    """The same tabs at a server that stores nothing and knows nobody."""
    process = _python("benchmarks.broadcast", stderr=subprocess.PIPE)
    try:
        assert process.stderr
        url = process.stderr.readline().strip()
        with closing(Crowd(url, [*idle, *busy], greeted=False)) as crowd:
            return crowd.talk(size)
    finally:
        process.kill()
        _end(process)


@contextmanager
def _flooding(url: str, token: str) -> Generator[None]:
    process = _python("benchmarks.flood")
    assert process.stdin
    where = urlsplit(url)
    process.stdin.write(json.dumps([where.hostname, where.port, token]) + "\n")
    process.stdin.flush()
    assert process.stdout
    process.stdout.readline()  # it has begun
    try:
        yield
    finally:
        done, _ = process.communicate()
        print(f"  flooded {done.strip()}", file=sys.stderr)


def _tokens(settings: Settings, users: list[str]) -> list[str]:
    with closing(open_accounts(settings)) as accounts:
        return [accounts.create_token(user).secret for user in users]


def _memory_for_each(served: Process, users: list[User]) -> float:
    """In KiB, of one more socket when there are as many already."""
    half = len(users) // 2
    with closing(Crowd(served.url, users[:half])):
        before = _memory(served.pid)
        with closing(Crowd(served.url, users[half:])):
            grown = _memory(served.pid) - before
    return grown / sum(tabs for _, tabs, _ in users[half:])


def _halves(users: list[User]) -> list[User]:
    """The same tabs, one half after the other."""
    return [(token, tabs // 2, writes) for token, tabs, writes in users] * 2


def _memory(pid: int) -> int:
    """In KiB."""
    found = _RSS.search(Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found
    return int(found[1])


def _many_files() -> None:
    """Each socket is an open file, here and in every process that is started."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _python(module: str, *, stderr: int | None = None) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", module]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=stderr, text=True)


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate()
