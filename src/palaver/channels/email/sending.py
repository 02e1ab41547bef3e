"""SMTP: handing a mail to the server that sends it."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from palaver.channels.email.writing import Letter
from palaver.channels.trying import unreachable
from palaver.errors import ChannelRefused, ChannelUncertain, PalaverError
from palaver.settings.channels import EmailSettings

if TYPE_CHECKING:
    import aiosmtplib

_ENCRYPTED_FROM_THE_START = 465
_TIMEOUT = 30.0
_REMEDY = "Correct `channels.email` in the settings, and test the channel."


class Sender:
    """Sends mail by one server, one connection for each."""

    def __init__(
        self, settings: EmailSettings, own: str, tls: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings
        self._own = own
        self._tls = tls

    async def send(self, mail: Letter) -> None:
        """Hands over a mail. Raises ChannelUnreachable, ChannelUncertain or ChannelRefused."""
        import aiosmtplib

        async with self._connected() as server:
            options, encoding = self._spelling(server, mail)
            await server.mail(self._own, options=options, encoding=encoding)
            await server.rcpt(mail.to, encoding=encoding)
            try:
                await server.data(mail.content)
            except (aiosmtplib.SMTPTimeoutError, OSError) as error:
                raise ChannelUncertain(
                    "The connection broke while the mail was handed over."
                ) from error

    async def sign_in(self) -> None:
        """Connects and signs in, and sends nothing. Raises as `send` does."""
        async with self._connected() as server:
            await server.noop()

    def _spelling(self, server: aiosmtplib.SMTP, mail: Letter) -> tuple[list[str], str]:
        if mail.to.isascii() and self._own.isascii():
            return [], "ascii"
        if not server.supports_extension("smtputf8"):
            raise ChannelRefused(
                f"Your mail server sends nothing to {mail.to}: it knows only plain letters."
            )
        return ["SMTPUTF8"], "utf-8"

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[aiosmtplib.SMTP]:
        import aiosmtplib

        server = self._client()
        try:
            await server.connect()
            yield server
            with suppress(aiosmtplib.SMTPException):
                await server.quit()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise self._translated(error) from error
        finally:
            server.close()

    def _client(self) -> aiosmtplib.SMTP:
        import aiosmtplib

        settings = self._settings
        at_once = settings.tls and settings.smtp_port == _ENCRYPTED_FROM_THE_START
        password = settings.password.get_secret_value() if settings.password else None
        return aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            username=(settings.username or settings.address) if password else None,
            password=password,
            timeout=_TIMEOUT,
            use_tls=at_once,
            start_tls=settings.tls and not at_once,
            tls_context=self._tls,
            local_hostname=self._own.rpartition("@")[2],
        )

    def _translated(self, error: Exception) -> PalaverError:
        """What went wrong, for those who know nothing of SMTP."""
        import aiosmtplib

        where = f"{self._settings.smtp_host}:{self._settings.smtp_port}"
        if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
            error = error.recipients[0]
        if isinstance(error, aiosmtplib.SMTPResponseException) and 500 <= error.code < 600:
            said = f"{error.code} {error.message}"[:300]
            if isinstance(error, aiosmtplib.SMTPAuthenticationError):
                return ChannelRefused(f"{where} refuses the password: {said}", remedy=_REMEDY)
            return ChannelRefused(f"{where} refuses the mail: {said}")
        if isinstance(error, aiosmtplib.SMTPNotSupported):
            return ChannelRefused(f"{where} cannot do what is asked: {error}"[:300], remedy=_REMEDY)
        return unreachable(where, error, str(error))
