"""Every message of the WebSocket, and the address at which it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from websockets.exceptions import ConnectionClosed, InvalidStatus

from palaver.accounts import SCOPES
from palaver.server.live.kinds import REQUESTS
from palaver.server.live.route import SCOPE
from tests.server.matrix.judging import REFUSED, Answer, Judge
from tests.server.matrix.people import CANARY, OTHERS, Ids, Person, headers
from tests.server.matrix.positions import KINDS, Json, Unprobed, ids_in, is_id, put
from tests.server.site import Site
from tests.server.sockets import Client, listening

SAMPLES: dict[str, Json] = {
    "ping": {},
    "load_messages": {},
    "new_conversation": {},
    "switch_conversation": {},
    "rename_conversation": {"title": "mine"},
    "send_message": {"text": "hello"},
    "stop_reply": {},
}
"""What a message needs beside ids."""
HANDSHAKE = ("conversation", "after")
NOTHING_TO_DO = ("No reply is being made in that conversation.",)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and every id that it takes."""

    kind: str
    paths: tuple[tuple[str, ...], ...]


def messages() -> list[Message]:
    """Raises Unprobed for a message that nobody has looked at."""
    found: list[Message] = []
    for kind, about in REQUESTS.items():
        schema: Json = about.model.model_json_schema(by_alias=True)
        if kind not in SAMPLES:
            raise Unprobed(f"Nobody has looked at the message {kind}.")
        found.append(Message(kind, tuple(dict.fromkeys(ids_in(schema, schema)))))
    return found


def _asked(message: Message, chosen: tuple[tuple[str, ...], ...], ids: Ids, own: Ids) -> Json:
    asked = dict(SAMPLES[message.kind])
    for path in message.paths:
        from_ = ids if path in chosen else own
        if path in chosen or path == ("conversationId",):
            put(asked, path, from_.at("/ws", KINDS[path[-1]]))
    return asked


class Speaking:
    """Speaks with a site by its socket."""

    def __init__(self, site: Site, judge: Judge, victim: list[Ids], other: Person) -> None:
        self._site = site
        self._judge = judge
        self._theirs = victim
        self._other = other

    async def every(self, step: int) -> None:
        """Each `step`th probe, and every message at least once."""
        for who in OTHERS:
            await self._knock(who)
        heard = await self._revoked()
        for who in ("other", "wrong scope"):  # nobody else is let in
            for message in messages():
                heard += await self._say(message, who, step)
        self._judge.silent("what a socket is told", orjson.dumps(_foreign(heard)).decode())

    async def _knock(self, who: str) -> None:
        """Opens a socket that looks at what is not theirs, and one that looks at nothing; and asks
        for what happened since something that is not theirs."""
        assert [is_id(name) for name in HANDSHAKE] == [True, True]
        shown = headers(self._site, self._other.user, who, SCOPE)
        status = (REFUSED | {"wrong scope": 403}).get(who, 404)
        for ids in self._theirs:
            what = f"/ws ({who}; {ids.conversation})"
            got, absent = [
                await self._opened(shown, conversation=one.conversation)
                for one in (ids, ids.absent)
            ]
            self._judge.same(what, got, absent, ids, [ids.conversation])
            self._judge.refused(what, got.status, status)
            since = await self._opened(shown, after=int(ids.tag.strip('"'), 16))
            self._judge.report.tried += 1
            self._judge.silent(f"/ws ({who}; after)", since.body)

    async def _opened(self, shown: dict[str, str], **query: Any) -> Answer:
        try:
            async with listening(self._site.url, shown, **query) as client:
                return Answer(101, (), orjson.dumps(client.heard).decode())
        except InvalidStatus as refused:
            answer = refused.response
            return Answer(
                answer.status_code, tuple(answer.headers.raw_items()), answer.body.decode()
            )

    async def _revoked(self) -> list[Json]:
        """Whoever was let in says each message once more, and is not answered when the token has
        ended."""
        accounts = self._site.accounts
        made = accounts.create_token(self._other.user, scopes=SCOPES)
        own = self._other.has("mine")
        async with listening(self._site.url, {"Authorization": f"Bearer {made.secret}"}) as client:
            accounts.revoke_token(self._other.user, made.token.id)
            await client.connection.wait_closed()
            for message in messages():
                self._judge.report.tried += 1
                with suppress(ConnectionClosed):
                    await client.ask(message.kind, **_asked(message, (), own, own))
                    self._judge.report.fail(f"{message.kind} (revoked): is answered")
            return client.heard

    async def _say(self, message: Message, who: str, step: int) -> list[Json]:
        """Raises nothing: what is told apart is noted."""
        scope = REQUESTS[message.kind].scope
        lacking = "recall" if scope == SCOPE else scope  # without it the socket is not opened
        shown = headers(self._site, self._other.user, who, lacking)
        own = self._other.has("mine")
        async with listening(self._site.url, shown) as client:
            for number, (ids, chosen) in enumerate(self._choices(message)):
                if number % step == 0:
                    await self._compare(client, message, chosen, (ids, own), who)
            return client.heard

    async def as_owner(self, owner: Person) -> None:
        """Who owns something reaches it by every message."""
        shown = headers(self._site, owner.user, "owner", SCOPE)
        async with listening(self._site.url, shown) as client:
            for message in messages():
                own = owner.has("mine")
                told = await client.ask(message.kind, **_asked(message, (), own, own))
                self._judge.report.tried += 1
                if told["type"] == "error" and told["message"] not in NOTHING_TO_DO:
                    self._judge.report.fail(f"{message.kind}: the owner is told {told}")

    async def overhear(self, victim: Person) -> None:
        """While somebody else says something, nobody hears of it."""
        shown = headers(self._site, self._other.user, "other", SCOPE)
        async with listening(self._site.url, shown) as client:
            said = await asyncio.to_thread(victim.has, CANARY)
            await client.ask("ping")
            self._judge.report.tried += 1
            heard = orjson.dumps(client.heard).decode()
            self._judge.silent("a socket that is open meanwhile", heard)
            if said.conversation in heard:
                self._judge.report.fail("A socket hears of a conversation of somebody else.")

    def _choices(self, message: Message) -> Iterator[tuple[Ids, tuple[tuple[str, ...], ...]]]:
        for ids in self._theirs:
            for path in message.paths:
                yield ids, (path,)
            yield ids, message.paths

    async def _compare(
        self,
        client: Client,
        message: Message,
        chosen: tuple[tuple[str, ...], ...],
        both: tuple[Ids, Ids],
        who: str,
    ) -> None:
        if chosen == (("key",),):
            return  # it is let in, into a conversation of their own: the API's probes compare that
        ids, own = both
        got, absent = [
            _answer(await client.ask(message.kind, **_asked(message, chosen, one, own)))
            for one in (ids, ids.absent)
        ]
        sent = [ids.at("/ws", KINDS[path[-1]]) for path in chosen]
        self._judge.same(f"{message.kind} ({who}; {chosen})", got, absent, ids, sent)


def _answer(told: Json) -> Answer:
    return Answer(404 if told["type"] == "error" else 200, (), orjson.dumps(told).decode())


def _foreign(heard: list[Json]) -> list[Json]:
    """What nobody asked for: an answer may repeat an id that was named."""
    return [one for one in heard if "requestId" not in one]
