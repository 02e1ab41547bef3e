"""Clients are cut off at any moment, and come back with the last eventId: nothing is missed,
nothing comes twice, and everything in order.

Several tabs follow two conversations while messages and replies are made there. Each is cut off
again and again: while it is greeted, while it catches up, between two parts of a reply.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from palaver.agent.answering import Answerer, Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.app import Palaver
from palaver.conversation.making import Maker
from tests.proofs.report import Report
from tests.server.site import Site, running_site

FOLLOWERS = 8
MOST_HEARD = 25
"""A client hears at most so many messages before it is cut off."""
END = "That was all."
_PAUSE = 0.01
_WORDS = [f"word{number} " for number in range(12)]

Json = dict[str, Any]


class Talker:
    """Answers with some words, one after the other."""

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        draft.model = "talker"
        for word in _WORDS:
            draft.content += word
            yield Said(word)
            await asyncio.sleep(_PAUSE)


@contextmanager
def _talking() -> Generator[None]:
    """Whoever would answer otherwise does not."""

    def keep(maker: Maker, answerer: Answerer) -> None:
        pass

    talker = Talker()
    Maker.answerer = property(lambda _: talker, keep)  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        del Maker.answerer  # pyright: ignore[reportAttributeAccessIssue]


class Budget:
    """How many cuts are left, for all together."""

    def __init__(self, cuts: int) -> None:
        self.left = cuts

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


class Follower:
    """One tab that remembers the last eventId, and nothing else when it is cut off."""

    def __init__(self, url: str, headers: dict[str, str], shown: str, seed: int) -> None:
        self._url = url.replace("http", "ws", 1)
        self._headers = headers
        self._shown = shown
        self._rng = random.Random(seed)
        self._last = 0
        self._texts: dict[str, str] = {}
        self.heard: list[tuple[int, str]] = []
        """The eventId and the message's id, as they came."""
        self.replies = 0
        self.broken: list[str] = []
        self._done = False

    async def follow(self, budget: Budget) -> None:
        while not self._done:
            query = urlencode({"conversation": self._shown, "after": self._last})
            async with connect(f"{self._url}/ws?{query}", additional_headers=self._headers) as line:
                self._texts.clear()
                try:
                    await self._listen(line, budget)
                except ConnectionClosed as closed:
                    if closed.rcvd is not None:
                        self.broken.append(f"the server let it go: {closed.rcvd.code}")
                        return

    async def _listen(self, line: ClientConnection, budget: Budget) -> None:
        for _ in range(self._rng.randrange(MOST_HEARD)):
            self._hear(orjson.loads(await line.recv()))
            if self._done:
                return
        if budget.take():
            line.transport.abort()
            return
        while not self._done:
            self._hear(orjson.loads(await line.recv()))

    def _hear(self, told: Json) -> None:
        kind: str = told["type"]
        if kind in ("resync", "error"):
            self.broken.append(f"it was told {told}")
        if kind.startswith("reply_"):
            self._hear_reply(kind, told)
        elif kind in ("conversation_loaded", "conversation_list"):
            if told["eventId"] != self._last:
                self.broken.append(f"greeted with {told['eventId']}, not {self._last}")
        else:
            self._hear_event(told)

    def _hear_event(self, told: Json) -> None:
        if told["eventId"] <= self._last:
            self.broken.append(f"{told['eventId']} came after {self._last}")
        self._last = told["eventId"]
        if told["type"] == "conversation_updated":
            self.heard.append((told["eventId"], told["turn"]["id"]))
            self._done = told["turn"]["content"] == END

    def _hear_reply(self, kind: str, told: Json) -> None:
        """Whoever comes late gets the text so far, and goes on from there."""
        if kind == "reply_started":
            self._texts[told["messageId"]] = ""
        elif kind == "reply_delta":
            so_far = self._texts.get(told["messageId"])
            if so_far is None or told["offset"] != len(so_far):
                self.broken.append(f"a reply went on at {told['offset']} after {so_far!r}")
            self._texts[told["messageId"]] = (so_far or "") + told["text"]
        elif kind == "reply_finished":
            so_far = self._texts.pop(told["turn"]["id"], None)
            if so_far != told["turn"]["content"]:
                self.broken.append(f"a reply was {told['turn']['content']!r}, told was {so_far!r}")
            self.replies += 1


def prove(
    cuts: int, *, database_url: str | None = None, seed: int = 1, patience: float = 900.0
) -> Report:
    report = Report("disconnects of those who follow", "disconnects")
    root = Path(tempfile.mkdtemp(prefix="palaver-disconnects-"))
    try:
        with _talking(), running_site(root / "home", database_url=database_url) as site:
            followers, places = asyncio.run(_drive(report, site, cuts, seed, patience))
        stored = asyncio.run(_stored(root / "home", database_url, places))
    finally:
        shutil.rmtree(root)
    _judge(report, followers, stored)
    return report


async def _drive(
    report: Report, site: Site, cuts: int, seed: int, patience: float
) -> tuple[list[Follower], list[str]]:
    headers = {"Authorization": f"Bearer {site.accounts.create_token('local').secret}"}
    budget = Budget(cuts)
    async with httpx.AsyncClient(base_url=site.url, headers=headers, timeout=60) as http:
        places = [(await _post(http, "/api/conversations", title="T"))["id"] for _ in range(2)]
        followers = [
            Follower(site.url, headers, places[number % 2], seed + number)
            for number in range(FOLLOWERS)
        ]
        following = asyncio.gather(*(one.follow(budget) for one in followers))
        try:
            async with asyncio.timeout(patience):
                await asyncio.gather(*(_talk(http, place, budget, following) for place in places))
                await _tell(http, places[0], END)
                await following
        except TimeoutError:
            report.fail("not everything was heard in time")
    report.tried = cuts - max(0, budget.left)
    return followers, places


async def _talk(
    http: httpx.AsyncClient, place: str, budget: Budget, following: asyncio.Future[Any]
) -> None:
    """Messages, and now and then one that is answered, as long as somebody is cut off."""
    number = 0
    while budget.left > 0 and not following.done():
        if number % 5:
            await _tell(http, place, f"Message {number}")
        else:
            await _post(http, "/api/chat", message=f"Question {number}", conversationId=place)
        number += 1
        await asyncio.sleep(_PAUSE)


async def _tell(http: httpx.AsyncClient, place: str, text: str) -> None:
    await _post(http, f"/api/conversations/{place}/messages", role="user", content=text)


async def _post(http: httpx.AsyncClient, path: str, **body: Any) -> Json:
    answer = await http.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def _stored(
    home: Path, database_url: str | None, places: list[str]
) -> list[tuple[int, str | None]]:
    """Every message with its position, in the order in which it was stored."""
    async with Palaver.open(home, database_url=database_url, index_vectors=False) as palaver:
        lines = [line for place in places for line in await palaver.lines(place)]
    return sorted((line.pos, line.id) for line in lines if line.type == "turn")


def _judge(report: Report, followers: list[Follower], stored: list[tuple[int, str | None]]) -> None:
    for number, follower in enumerate(followers):
        report.failures += [f"client {number}: {what}" for what in follower.broken]
        if len(follower.heard) != len(set(follower.heard)):
            report.fail(f"client {number} heard a message twice")
        if follower.heard != stored:
            missed = len(set(stored) - set(follower.heard))
            report.fail(f"client {number} missed {missed} of {len(stored)}, or their order")
    replies = sum(follower.replies for follower in followers)
    if not replies:
        report.fail("nobody heard a reply to its end")
    report.notes.append(
        f"{len(followers)} clients, {len(stored):,} messages each, {replies:,} replies in parts"
    )
