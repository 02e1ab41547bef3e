"""The channel: mail comes by IMAP, is told who wrote it, and is answered by SMTP."""

from __future__ import annotations

import asyncio
import ssl
from importlib.util import find_spec

from palaver.channels.email.addresses import normalised
from palaver.channels.email.mailbox import opened
from palaver.channels.email.reading import Reader
from palaver.channels.email.receiving import Folder, Health, Rhythm
from palaver.channels.email.sending import Sender
from palaver.channels.email.writing import letter
from palaver.channels.port import Outgoing, Place, Take, Tell, Tested
from palaver.channels.splitting import NOTHING
from palaver.errors import ChannelError, ChannelRefused
from palaver.index.records import Json
from palaver.settings.channels import EmailSettings
from palaver.times import Clock

_LIBRARIES = ("aioimaplib", "aiosmtplib")
_NEEDED = ("address", "imap_host", "smtp_host")


class EmailChannel:
    """E-mail at one address."""

    name = "email"
    repeatable = True

    def __init__(
        self,
        settings: EmailSettings,
        clock: Clock,
        *,
        rhythm: Rhythm | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Raises ChannelRefused if a library or a setting is missing. `tls`: whom to trust, if not
        those whom the machine trusts."""
        _check(settings)
        self._settings = settings
        self._clock = clock
        self._rhythm = rhythm or Rhythm()
        self._tls = tls
        self._own = normalised(settings.address or "")
        self._sender = Sender(settings, self._own, tls)

    def person(self, identity: str) -> str:
        return normalised(identity)

    def reach(self, person_id: str, subject: str) -> tuple[Place, Json]:
        return Place("contact", person_id, subject), {"to": person_id, "subject": subject}

    def split(self, text: str) -> list[str]:
        return [text.strip() or NOTHING]

    async def run(self, take: Take, tell: Tell) -> None:
        tell("waiting", None)
        names = list(dict.fromkeys(self._settings.folders)) or ["INBOX"]
        health = Health(tell, len(names))
        reader = Reader(self._settings, self._clock)
        folders = [
            Folder(name, self._settings, reader, self._clock, self._rhythm, health, self._tls)
            for name in names
        ]
        following = [asyncio.ensure_future(folder.follow(take)) for folder in folders]
        try:
            await asyncio.gather(*following)
        finally:
            for one in following:
                one.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    async def send(self, message: Outgoing) -> str:
        mail = letter(message, self._own, self._clock())
        await self._sender.send(mail)
        return mail.id

    async def test(self) -> Tested:
        try:
            async with opened(self._settings, self._tls) as mailbox:
                for folder in self._settings.folders:
                    await mailbox.select(folder)
            await self._sender.sign_in()
        except ChannelError as error:
            return Tested(ok=False, message=error.message, remedy=error.remedy)
        if not self._settings.trusted_authserv_ids:
            return Tested(
                ok=True,
                message=f"Connected as {self._own}, but no mail will be taken for the owner's.",
                remedy="Set `channels.email.trustedAuthservIds` to the name of your mail server.",
            )
        return Tested(ok=True, message=f"Connected as {self._own}.")

    async def close(self) -> None:
        """There is nothing to let go of: connections end with what they are for."""


def _check(settings: EmailSettings) -> None:
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise ChannelRefused(
            f"E-mail needs {' and '.join(missing)}.",
            remedy="Install it with `pip install 'palaver[email]'`.",
        )
    unset = [name for name in _NEEDED if not getattr(settings, name)]
    if unset:
        aliases = {name: EmailSettings.model_fields[name].alias or name for name in unset}
        raise ChannelRefused(
            f"E-mail is not set up: {', '.join(aliases.values())} of `channels.email` not set.",
            remedy="Set it in the settings.",
        )
