"""Two servers on one database, driven together."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from palaver.accounts import SCOPES
from palaver.engines import open_accounts
from palaver.settings import Settings
from tests.postgres.databases import looking
from tests.server.process import Process

USERS = [f"usr-{number}" for number in range(10)]
EACH = 50


@pytest.fixture
def nodes(database_url: str, tmp_path: Path) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(Process(tmp_path / name, database_url=database_url))
            for name in ("one", "other")
        ]


class Person:
    """Somebody who writes to one conversation through every node in turn."""

    def __init__(self, user: str, secret: str, nodes: list[Process]) -> None:
        self.user = user
        headers = {"Authorization": f"Bearer {secret}"}
        self.sides = [
            httpx.Client(base_url=node.url, headers=headers, timeout=60) for node in nodes
        ]
        self.said = [f"{user} says {number}" for number in range(EACH)]
        self.conversation = ""

    def talk(self) -> None:
        made = self.sides[0].post("/api/conversations", json={"title": self.user})
        assert made.status_code == 201, made.text
        self.conversation = made.json()["id"]
        for number, content in enumerate(self.said):
            message = {"role": "user", "content": content, "key": f"k{number}"}
            answer = self.sides[number % 2].post(self.messages, json=message)
            assert answer.status_code == 201, answer.text
            if number % 10 == 0:  # sent again, to the other node
                again = self.sides[1 - number % 2].post(self.messages, json=message)
                assert again.json() == answer.json()

    @property
    def messages(self) -> str:
        return f"/api/conversations/{self.conversation}/messages"

    def check(self) -> None:
        for side in self.sides:
            page = side.get(self.messages, params={"limit": EACH}).json()
            assert [message["content"] for message in page["messages"]] == self.said
            listed = side.get("/api/conversations").json()["conversations"]
            assert [one["title"] for one in listed] == [self.user]
            found = side.get("/api/search", params={"q": "says", "limit": 50}).json()["results"]
            assert {one["conversationId"] for one in found} == {self.conversation}

    def close(self) -> None:
        for side in self.sides:
            side.close()


@pytest.fixture
def people(nodes: list[Process], database_url: str, tmp_path: Path) -> Iterator[list[Person]]:
    settings = Settings.load(tmp_path, database__url=database_url)
    with closing(open_accounts(settings)) as accounts, ExitStack() as stack:
        people = [
            Person(user, accounts.create_token(user, scopes=SCOPES).secret, nodes) for user in USERS
        ]
        for person in people:
            stack.callback(person.close)
        yield people


def test_many_write_through_both(
    nodes: list[Process], people: list[Person], database_url: str
) -> None:
    with ThreadPoolExecutor(len(people)) as together:
        list(together.map(Person.talk, people))
        list(together.map(Person.check, people))
    with psycopg.connect(looking(database_url)) as connection:
        positions = connection.execute(
            """
            SELECT u.name, array_agg(l.pos ORDER BY l.pos), array_agg(l.seq ORDER BY l.pos), u.pos
            FROM palaver.lines AS l JOIN palaver.users AS u ON u.no = l.owner GROUP BY u.no
            """
        ).fetchall()
    assert {row[0] for row in positions} == set(USERS)
    for _, pos, seq, last in positions:
        assert pos == list(range(1, EACH + 2))
        assert seq == list(range(EACH + 1))
        assert last == EACH + 1
    for node in nodes:
        node.signal(signal.SIGTERM)
        assert node.wait() == 0
        first, started = node.stderr.splitlines()
        assert first == node.line
        assert json.loads(started)["event"] == "palaver_started"


def test_both_are_sent_the_same_at_once(people: list[Person]) -> None:
    """The same key is one message, one conversation and one reply, whoever takes it."""
    sides = people[0].sides
    with ThreadPoolExecutor(2) as together:
        for number in range(10):
            asked = {"message": f"The xylophone {number} is blue.", "key": f"k{number}"}
            answers = list(together.map(partial(send, asked), sides))
            assert answers[0] == answers[1]
            path = f"/api/conversations/{answers[0]['conversationId']}/messages"
            for side in sides:
                roles = [one["role"] for one in side.get(path).json()["messages"]]
                assert roles == ["user", "assistant"]
    for side in sides:
        assert len(side.get("/api/conversations").json()["conversations"]) == 10


def send(asked: dict[str, Any], side: httpx.Client) -> dict[str, Any]:
    answer = side.post("/api/chat", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_sign_in_link_works_once_on_whatever_node(nodes: list[Process]) -> None:
    one, other = nodes
    code = {"code": one.code}
    with httpx.Client(base_url=other.url, timeout=60) as browser:
        assert browser.post("/api/login", json=code).status_code == 204
        assert browser.get("/api/me").json()["user"] == "local"
    for node in nodes:
        assert httpx.post(f"{node.url}/api/login", json=code, timeout=60).status_code == 401
    other.signal(signal.SIGTERM)  # its own link ends with it
    assert other.wait() == 0
    unused = {"code": other.code}
    assert httpx.post(f"{one.url}/api/login", json=unused, timeout=60).status_code == 401


def test_a_node_that_is_killed_takes_nothing_with_it(
    nodes: list[Process], people: list[Person]
) -> None:
    person = people[0]
    person.talk()
    nodes[1].kill()
    person.sides.pop().close()
    person.check()
