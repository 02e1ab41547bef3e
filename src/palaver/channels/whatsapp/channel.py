"""The channel of WhatsApp."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from palaver.channels.calls import object_in
from palaver.channels.markup import render
from palaver.channels.pausing import Pauses, Wait
from palaver.channels.port import Outgoing, Place, Take, Tell, Tested, Update
from palaver.channels.splitting import split, units
from palaver.channels.whatsapp import numbers
from palaver.channels.whatsapp.line import Line
from palaver.channels.whatsapp.reading import Reading
from palaver.channels.whatsapp.signing import challenge, is_signed
from palaver.channels.whatsapp.style import STYLE
from palaver.errors import ChannelError, ChannelRefused, ChannelUnreachable, WebhookRefused
from palaver.index.records import Json
from palaver.settings.channels import WhatsAppSettings
from palaver.times import Clock

LONGEST = 4096
"""WhatsApp does not say what it takes for a character, so the longer count is taken: UTF-16."""
_SECONDS = 30.0


def make(settings: WhatsAppSettings, clock: Clock) -> WhatsAppChannel:
    return WhatsAppChannel(settings)


class WhatsAppChannel:
    """Is called by the provider, and sends through the Cloud API."""

    name = "whatsapp"
    repeatable = False

    def __init__(
        self, settings: WhatsAppSettings, *, wait: Wait = asyncio.sleep, seconds: float = _SECONDS
    ) -> None:
        """`seconds` is how long the provider may take to answer."""
        self._settings = settings
        self._wait = wait
        self._seconds = seconds
        self._line: Line | None = None
        self._reading = Reading(settings.phone_number_id)

    def person(self, identity: str) -> str:
        return numbers.person(identity)

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        return Place("contact", person_id), {}

    def split(self, text: str) -> list[str]:
        return split(text, lambda part: units(render(part, STYLE)) <= LONGEST, LONGEST)

    def challenged(self, query: Mapping[str, str]) -> str:
        return challenge(self._settings.verify_token, query)

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[Update]:
        if not is_signed(self._settings.app_secret, body, headers):
            raise WebhookRefused(
                remedy="Set `channels.whatsapp.appSecret` to the secret of the app."
            )
        return list(self._reading.updates(object_in(body)))

    async def run(self, take: Take, tell: Tell) -> None:
        tell("waiting", None)
        pauses = Pauses(self._wait)
        while True:
            try:
                await self._introduced()
                break
            except ChannelUnreachable as error:
                tell("failing", f"{error.message} {error.remedy}")
            await pauses.pause()
        tell("connected", None)
        await asyncio.Event().wait()  # the provider calls

    async def send(self, message: Outgoing) -> str:
        answers = message.answers if message.first else None
        return await self._open().send(
            _recipient(message.place), render(message.text, STYLE), answers
        )

    async def test(self) -> Tested:
        try:
            return Tested(ok=True, message=f"Connected as {await self._introduced()}.")
        except ChannelError as error:
            return Tested(ok=False, message=error.message, remedy=error.remedy)

    async def close(self) -> None:
        line, self._line = self._line, None
        if line:
            await line.close()

    async def _introduced(self) -> str:
        """Who we are there. Raises ChannelError."""
        self._check()
        number = await self._open().number()
        self._reading = Reading(self._settings.phone_number_id, number.name)
        return f"{number.name}, {number.display}" if number.name else number.display

    def _check(self) -> None:
        """Raises ChannelRefused when calls could not be told from those of others."""
        for name, value in (
            ("appSecret", self._settings.app_secret),
            ("verifyToken", self._settings.verify_token),
        ):
            if value is None:
                raise _missing(name)

    def _open(self) -> Line:
        """Raises ChannelRefused when something is missing."""
        if self._line is None:
            number, token = self._settings.phone_number_id, self._settings.access_token
            if number is None:
                raise _missing("phoneNumberId")
            if token is None:
                raise _missing("accessToken")
            base = self._settings.api_base
            self._line = Line(number, token.get_secret_value(), base, self._seconds)
        return self._line


def _missing(name: str) -> ChannelRefused:
    return ChannelRefused(
        "WhatsApp is not set up completely.", remedy=f"Set `channels.whatsapp.{name}`."
    )


def _recipient(place: Place) -> str:
    """A group is told from a number by its id; one that looks like a number gets its host back."""
    return f"{place.id}@g.us" if place.kind == "group" and place.id.isdigit() else place.id
