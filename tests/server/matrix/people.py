"""People: somebody who has something, and everybody who must not reach it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx

from palaver.accounts import SCOPES, Accounts
from palaver.recall import cursor as cursors
from palaver.times import system_clock
from tests.server.dove import Carrier, connected
from tests.server.exchange import Exchange, exchanged
from tests.server.matrix.positions import Json, Kind
from tests.server.site import Site

CANARY = "zqxylophone"
TITLE = "zqmarmalade"
NAME = "zqtrombone"
CALLED = "zqbassoon"
FLIES = "zqpiccolo"
CANARIES = (CANARY, TITLE, NAME, CALLED, FLIES)
NOWHERE = "nochannel"
ABSENT = "01HQXK5J7G8M3N4P5R6S7T8V9W"
NOBODY = f"usr-{ABSENT}"
OTHERS = ("other", "revoked", "expired", "wrong scope", "nobody")


@dataclass(frozen=True, slots=True)
class Ids:
    """One thing of each kind, by its id."""

    user: str
    """Whose they are."""
    conversation: str
    message: str
    spoken: str
    """A message of the continuous conversation."""
    day: str
    """The day of that one."""
    date: str
    """Which everybody knows."""
    memory: str
    external: str
    """An exchange with somebody else."""
    draft: str
    """A reply in it that waits."""
    written: str
    """A message in it."""
    failed: str
    """A reply in it that could not be delivered."""
    channel: str
    """Theirs alone."""
    token: str
    job: str
    cursor: str
    """Where a list goes on."""
    found: str
    """Where a search goes on."""
    told: str
    """The same, of the continuous conversation."""
    listed: str
    """Where the list of memories goes on."""
    exchanged: str
    """Where the list of exchanges goes on."""
    key: str
    tag: str
    """The version of the conversation."""

    def at(self, address: str, kind: Kind) -> str:
        """What is sent as an id of a kind."""
        if kind == "cursor" and "memories" in address:
            return self.listed
        if kind == "cursor" and "external" in address:
            return self.exchanged
        if kind == "message" and "deliveries" in address:
            return self.failed
        if kind == "message" and "external" in address:
            return self.written
        if kind == "cursor" and "search" in address:
            return self.told if _is_continuous(address) else self.found
        return self.spoken if kind == "message" and _is_continuous(address) else getattr(self, kind)

    @property
    def absent(self) -> Ids:
        """As long, and of nobody."""
        return Ids(
            user=NOBODY,
            conversation=f"conv-{ABSENT}",
            message=f"msg-{ABSENT}",
            spoken=f"msg-{ABSENT}",
            day=f"day-{ABSENT}",
            date=self.date,
            memory=f"mem-{ABSENT}",
            listed=_absent_cursor(self.listed, "mem"),
            external=f"ext-{ABSENT}",
            draft=f"draft-{ABSENT}",
            written=f"msg-{ABSENT}",
            failed=f"msg-{ABSENT}",
            channel=NOWHERE,
            exchanged=_absent_cursor(self.exchanged, "ext"),
            token=f"tok-{ABSENT}",
            job=self.job.replace(self.user, NOBODY),
            cursor=_absent_cursor(self.cursor),
            found=self.found[::-1],
            told=self.told[::-1],
            key=self.key.replace(self.user, NOBODY),
            tag='"fffffffff"',
        )


def _is_continuous(address: str) -> bool:
    return "continuous" in address or address.startswith("conversation_")


def _absent_cursor(cursor: str, of: str = "conv") -> str:
    if not cursor:
        return ""
    updated, _ = cursors.decode(cursor)
    return cursors.encode([updated, f"{of}-{ABSENT}"])


@dataclass(slots=True)
class Person:
    """Somebody who is served, by what a program of theirs can do."""

    site: Site
    user: str
    client: httpx.Client
    flies: str
    """The name of their channel."""
    made: int = field(default=0)
    lives: bool = True
    """Whether they have a continuous conversation."""
    days: dict[str, Json] = field(default_factory=dict[str, Json])
    """What was said in the continuous conversation, by the words."""

    def has(self, words: str) -> Ids:
        """Makes one thing of each kind that says `words`."""
        self.made += 1
        key = f"key-{self.user}-{self.made:04d}"
        said = self._post("/api/chat", message=self._says(words), key=key)
        place = f"/api/conversations/{said['conversationId']}"
        self.client.patch(place, json={"title": f"{words} {TITLE if CANARY in words else ''}"})
        token = self._post("/api/tokens", name=NAME if CANARY in words else "mine")
        page = self.client.get(f"{place}/messages").json()
        listed = self.client.get("/api/conversations", params={"limit": 1}).json()
        found = self.client.get("/api/search", params={"q": words, "limit": 1}).json()
        today = self.days.get(words) or self._lives(words)
        remembered = self._post("/api/memories", content=f"The {words} {self.made} is mine.")
        memories = self.client.get("/api/memories", params={"limit": 1}).json()
        exchange = self._hears(words)
        exchanges = self.client.get("/api/external", params={"limit": 1}).json()
        return Ids(
            user=self.user,
            external=exchange.id,
            draft=exchange.draft,
            written=exchange.asked,
            failed=exchange.failed,
            channel=self.flies,
            exchanged=exchanges["nextCursor"] or "",
            memory=remembered["id"],
            listed=memories["nextCursor"] or "",
            spoken=today["messages"][-2]["id"],
            day=today["daySegmentId"],
            date=today["day"],
            told=today["cursor"],
            conversation=said["conversationId"],
            message=page["messages"][self.made % 2 if CANARY in words else 0]["id"],
            token=token["id"],
            job=f"rebuild:{self.user}",
            cursor=listed["nextCursor"] or "",
            found=found["nextCursor"] or "",
            key=key,
            tag=self.client.get(place).headers["ETag"],
        )

    def _hears(self, words: str) -> Exchange:
        """Somebody else writes something to them."""
        return self.site.within(lambda palaver: exchanged(palaver, words), self.user)

    def _lives(self, words: str) -> Json:
        """Says something in the continuous conversation, and tells of the day."""
        if not self.lives:
            nothing = [{"id": ""}, {"id": ""}]
            return {"messages": nothing, "daySegmentId": "", "day": "2026-02-14", "cursor": ""}
        for _ in range(2):
            self._post("/api/continuous/messages", message=f"The {words} of today.")
        date = self.client.get("/api/continuous").json()["day"]
        told = {"summaryMarkdown": f"- {words}"}
        today = self.client.put(f"/api/continuous/days/{date}/summary", json=told).json()
        asked = {"query": words, "limit": 1}
        found = self.client.get("/api/continuous/search", params=asked).json()
        self.days[words] = today | {"cursor": found["nextCursor"] or ""}
        return self.days[words]

    def _says(self, words: str) -> str:
        """Of what is not looked for, nothing is found again when the next one is answered."""
        return f"The {words} {self.made} is blue." if CANARY in words else f"{words}{self.made}"

    def keys(self, conversation: str, count: int) -> list[str]:
        """Uses some keys, each for a message."""
        used = [f"key-{self.user}-k{number:04d}" for number in range(count)]
        for key in used:
            said = f"{CANARY} {key}"
            path = f"/api/conversations/{conversation}/messages"
            self._post(path, role="user", content=said, key=key)
        return used

    def everything(self) -> list[Any]:
        """All that is stored for them."""
        conversations = self.client.get("/api/conversations", params={"limit": 200}).json()
        tokens = self.client.get("/api/tokens").json()["tokens"]
        exported = [
            self.client.get(f"/api/conversations/{one['id']}/export").text
            for one in conversations["conversations"]
        ]
        today = self.client.get("/api/continuous").json()
        memories = self.client.get("/api/memories", params={"limit": 200}).json()
        external = self.client.get("/api/external", params={"limit": 200}).json()
        return [
            external,
            *(self.client.get(f"/api/external/{one['id']}").json() for one in external["external"]),
            conversations,
            today,
            memories,
            exported,
            sorted((one["id"], one["revoked"]) for one in tokens),
        ]

    def _post(self, path: str, **body: Any) -> Json:
        answer = self.client.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()


@contextmanager
def person(
    site: Site, name: str, scopes: Iterable[str] = SCOPES, *, lives: bool = True
) -> Generator[Person]:
    """Somebody new, who is called that."""
    user = site.accounts.add_user(name).id
    flies = FLIES if name == CALLED else f"{name}-flies"
    site.channels.add(connected(Carrier(flies), user=user))
    with site.program(scopes, user) as client:
        yield Person(site, user, client, flies, lives=lives)


def headers(site: Site, user: str, who: str, scope: str) -> dict[str, str]:
    """What `user` shows, as somebody of a kind, where `scope` is needed."""
    match who:
        case "nobody":
            return {}
        case "revoked":
            made = site.accounts.create_token(user, scopes=SCOPES)
            site.accounts.revoke_token(user, made.token.id)
            return _bearer(made.secret)
        case "expired":
            return _bearer(_last_year(site.accounts, user))
        case "wrong scope":
            scopes = [one for one in SCOPES if one != scope]
            return _bearer(site.accounts.create_token(user, scopes=scopes).secret)
        case _:
            return _bearer(site.accounts.create_token(user, scopes=SCOPES).secret)


def _bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def _last_year(accounts: Accounts, user: str) -> str:
    """A token that was made a year ago for a day."""
    then = system_clock() - timedelta(days=365)
    earlier = Accounts(accounts._rows, lambda: then)  # pyright: ignore[reportPrivateUsage]
    return earlier.create_token(user, scopes=SCOPES, expires=then + timedelta(days=1)).secret
