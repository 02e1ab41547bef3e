"""The channel of Telegram."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping, Sequence
from secrets import token_bytes

from palaver.channels.calls import fitted, inner, number, object_in
from palaver.channels.markup import PLAIN, render
from palaver.channels.pausing import Pauses, Wait
from palaver.channels.port import Outgoing, Place, Take, Tell, Tested, Update
from palaver.channels.splitting import split, units
from palaver.channels.telegram import ids
from palaver.channels.telegram.line import Line
from palaver.channels.telegram.reading import Reading
from palaver.channels.telegram.style import STYLE
from palaver.errors import (
    BadJson,
    ChannelError,
    ChannelRefused,
    PalaverError,
    WebhookRefused,
)
from palaver.index.records import Json
from palaver.settings.channels import TelegramSettings
from palaver.times import Clock

LONGEST = 4096
"""In UTF-16, of what a reader sees."""
HEADER = "x-telegram-bot-api-secret-token"
_NOBODYS = token_bytes(32)
"""Nobody sends it: without a secret, all that is done with one is done all the same."""
_SECONDS = 30.0


def make(settings: TelegramSettings, clock: Clock) -> TelegramChannel:
    return TelegramChannel(settings)


class TelegramChannel:
    """Asks for messages, or is called by the provider."""

    name = "telegram"
    repeatable = False

    def __init__(
        self, settings: TelegramSettings, *, wait: Wait = asyncio.sleep, seconds: float = _SECONDS
    ) -> None:
        """`seconds` is how long the provider may take to answer."""
        self._settings = settings
        self._wait = wait
        self._seconds = seconds
        self._line: Line | None = None
        self._offset: int | None = None
        """All updates before that are safe."""
        token = settings.token.get_secret_value() if settings.token else ""
        self._reading = Reading(number({"id": token.partition(":")[0]}, "id") or 0)

    def person(self, identity: str) -> str:
        return ids.person(identity)

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        return Place("contact", person_id), {}

    def split(self, text: str) -> list[str]:
        return split(text, lambda part: units(render(part, PLAIN)) <= LONGEST, LONGEST)

    def challenged(self, query: Mapping[str, str]) -> str:
        raise WebhookRefused("Telegram does not ask whose an address is.")

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[Update]:
        if not self.is_secret(headers):
            raise WebhookRefused(
                remedy="Set `channels.telegram.mode` to webhook, and give setWebhook the secret of "
                "`channels.telegram.secretToken`."
            )
        return list(self._reading.updates(object_in(body)))

    def is_secret(self, headers: Mapping[str, str]) -> bool:
        """Whether a call carries the secret. It takes as long to say no as to say yes."""
        secret = self._settings.secret_token if self._settings.mode == "webhook" else None
        wanted = secret.get_secret_value().encode() if secret else _NOBODYS
        given = headers.get(HEADER, "").encode("utf-8", "surrogatepass")
        return hmac.compare_digest(wanted, given) and secret is not None

    async def run(self, take: Take, tell: Tell) -> None:
        tell("waiting", None)
        self._offset = None
        pauses = Pauses(self._wait)
        while True:
            try:
                await self._introduced()
                await self._receive(take, tell, pauses)
            except ChannelRefused:
                raise
            except PalaverError as error:
                tell("failing", f"{error.message} {error.remedy}")
                await pauses.pause(self._open().pause)

    async def _receive(self, take: Take, tell: Tell, pauses: Pauses) -> None:
        """Until something fails."""
        if self._settings.mode == "polling":
            await self._ask(take, at_once=True)
        tell("connected", None)
        while self._settings.mode == "polling":
            pauses.reset()
            await self._ask(take)
        await asyncio.Event().wait()  # the provider calls

    async def _ask(self, take: Take, *, at_once: bool = False) -> None:
        """Takes what is there, and has it confirmed when it asks the next time."""
        found = await self._open().updates(self._offset, at_once=at_once)
        if not found:
            self._offset = None  # after a quiet week, Telegram counts from anywhere
        for given in found:
            update = _readable(given)
            for one in self._reading.updates(update):
                await take(one)
            if (told := number(update, "update_id")) is not None:
                self._offset = told + 1

    async def send(self, message: Outgoing) -> str:
        chat, topic = ids.chat_of(message.place)
        answers = ids.number_of(message.answers) if message.first else None
        html, plain = (render(message.text, style) for style in (STYLE, PLAIN))
        return ids.message_id(*await self._open().send(chat, topic, html, plain, answers))

    async def test(self) -> Tested:
        try:
            told = f"Connected as {await self._introduced()}."
            wrong = await self._open().webhook() if self._settings.mode == "webhook" else ""
        except ChannelError as error:
            return Tested(ok=False, message=error.message, remedy=error.remedy)
        if wrong:
            return Tested(
                ok=False,
                message=f"Telegram cannot call here: {wrong.rstrip('.')}.",
                remedy="Call setWebhook with the address of the webhook and its secret.",
            )
        return Tested(ok=True, message=told)

    async def close(self) -> None:
        line, self._line = self._line, None
        if line:
            await line.close()

    async def _introduced(self) -> str:
        """Who we are there. Raises ChannelError."""
        if self._settings.mode == "webhook" and self._settings.secret_token is None:
            raise _missing("secretToken")
        me = await self._open().me()
        self._reading = Reading(me.id, me.username)
        return f"@{me.username}" if me.username else str(me.id)

    def _open(self) -> Line:
        """Raises ChannelRefused when something is missing."""
        if self._line is None:
            if self._settings.token is None:
                raise _missing("token")
            token = self._settings.token.get_secret_value()
            self._line = Line(token, self._settings.api_base, self._seconds)
        return self._line


def _readable(given: object) -> Json:
    """An update. One that cannot be read must not keep those after it from coming."""
    try:
        return fitted(given)
    except BadJson:
        known = inner({"update": given}, "update")
        return {"update_id": number(known, "update_id")}


def _missing(name: str) -> ChannelRefused:
    return ChannelRefused(
        "Telegram is not set up completely.", remedy=f"Set `channels.telegram.{name}`."
    )
