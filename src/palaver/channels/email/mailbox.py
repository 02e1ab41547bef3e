"""A connection to the server that keeps the mail, and what is asked of it.

Every question waits for the loss of the connection, too, and asks for little at a time.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import re
import ssl
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import date
from typing import Any, TypeVar

from palaver.channels.email.imap import Client, News, Response, library, settling
from palaver.channels.trying import unreachable
from palaver.errors import ChannelRefused, ChannelUnreachable
from palaver.settings.channels import EmailSettings

_BATCH = 50
_TIMEOUT = 30.0
_GRACE = 10.0
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UID = re.compile(rb"\bUID (\d{1,10})")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,15})")
_VALIDITY = re.compile(rb"\[UIDVALIDITY (\d{1,15})\]")
_PASSING = re.compile(
    rb"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)\]|too many|try again", re.IGNORECASE
)
_REMEDY = "Correct `channels.email` in the settings, and test the channel."
_T = TypeVar("_T")


class Mailbox:
    """A connection that is signed in, and the folder that it has open."""

    def __init__(self, client: Client, where: str, lost: asyncio.Future[None]) -> None:
        self._client = client
        self._where = where
        self._lost = lost
        self._news = News()
        client.protocol.data_received = self._news.watching(client.protocol.data_received)

    async def select(self, folder: str) -> int:
        """Opens a folder; gives its UIDVALIDITY. Raises ChannelRefused if there is none."""
        response = await self._ask(self._client.select(quoted(folder)))
        if response.result != "OK":
            raise ChannelRefused(
                f"{self._where} has no folder {folder!r}: {_said(response)}", remedy=_REMEDY
            )
        found = [_VALIDITY.search(line) for line in response.lines]
        return next((int(one[1]) for one in found if one), 0)

    async def since(self, day: date) -> list[int]:
        """The UIDs of mail that came on a day or later."""
        return await self._search("SINCE", f"{day.day}-{_MONTHS[day.month - 1]}-{day.year:04}")

    async def after(self, uid: int) -> list[int]:
        """The UIDs above one."""
        # "n:*" always names the last mail, even if its UID is lower.
        return [one for one in await self._search("UID", f"{uid + 1}:*") if one > uid]

    async def _search(self, *criteria: str) -> list[int]:
        self._news.seen = False
        response = self._good(await self._ask(self._client.uid_search(*criteria, charset=None)))
        words = [word for line in response.lines[:-1] for word in bytes(line).split()]
        return sorted({int(word) for word in words if word.isdigit()})

    async def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """How large mails are; those that are gone are not in it."""
        found: dict[int, int] = {}
        for at in range(0, len(uids), _BATCH):
            wanted = ",".join(map(str, uids[at : at + _BATCH]))
            response = await self._ask(self._client.uid("fetch", wanted, "(UID RFC822.SIZE)"))
            for line in self._good(response).lines:
                uid, size = _UID.search(line), _SIZE.search(line)
                if uid and size:
                    found[int(uid[1])] = int(size[1])
        return found

    async def fetch(self, uid: int, most: int) -> bytes | None:
        """The first bytes of a mail, without marking it as read; None if it is gone."""
        wanted = f"(UID BODY.PEEK[]<0.{most}>)"
        response = self._good(await self._ask(self._client.uid("fetch", str(uid), wanted)))
        for line, content in zip(response.lines, response.lines[1:], strict=False):
            if isinstance(content, bytearray) and b"BODY[" in line.upper():
                return bytes(content)
        return None

    async def mark(self, uid: int) -> None:
        """Marks a mail as read. A folder that may not be changed stays as it is."""
        await self._ask(self._client.uid("store", str(uid), "+FLAGS.SILENT", r"(\Seen)"))

    async def wait(self, *, idle: float, poll: float) -> None:
        """Returns when there may be something new: told by the server, or after a while."""
        self._good(await self._ask(self._client.noop()))
        if self._news.seen:
            return
        if not self._client.has_capability("IDLE"):
            await self._ask(asyncio.sleep(poll))
            return
        idling = await self._ask(self._client.idle_start(idle + _GRACE), within=_TIMEOUT)
        try:
            await self._ask(self._told(idle))
        finally:
            self._client.idle_done()
        await self._ask(_awaited(idling), within=_TIMEOUT)

    async def _told(self, idle: float) -> None:
        try:
            await self._client.wait_server_push(idle)
        except TimeoutError:
            return

    async def _ask(self, question: Coroutine[Any, Any, _T], within: float | None = None) -> _T:
        """The answer to a question, unless the connection is lost first."""
        asked = asyncio.ensure_future(question)
        try:
            await asyncio.wait(
                {asked, self._lost}, timeout=within, return_when=asyncio.FIRST_COMPLETED
            )
            if asked.done():
                return asked.result()
        except _errors() as error:
            said = str(error) or type(error).__name__
            raise unreachable(self._where, error, said) from error
        finally:
            asked.cancel()
        lost = self._lost.done()
        raise ChannelUnreachable(
            f"{self._where} {'closed the connection' if lost else 'does not answer'}."
        )

    def _good(self, response: Response) -> Response:
        if response.result != "OK":
            raise ChannelUnreachable(f"{self._where} says: {_said(response)}")
        return response

    async def sign_in(self, name: str, password: str) -> None:
        """Raises ChannelRefused for a wrong password, ChannelUnreachable if it may be right."""
        await self._ask(self._client.wait_hello_from_server())
        if self._client.has_capability("LOGINDISABLED"):
            raise ChannelRefused(
                f"{self._where} takes passwords over encrypted connections only.",
                remedy="Set `channels.email.tls` to true, and the port to 993.",
            )
        response = await self._ask(self._client.login(quoted(name, coded=False), password))
        said = _said(response)
        if response.result != "OK" and _PASSING.search(b" ".join(map(bytes, response.lines))):
            raise ChannelUnreachable(f"{self._where} lets nobody in now: {said}")
        if response.result != "OK":
            raise ChannelRefused(f"{self._where} refuses the password: {said}", remedy=_REMEDY)
        # Some servers can do more, such as IDLE, once they know who asks.
        await self._ask(self._client.protocol.capability())

    def close(self) -> None:
        """Lets go, whatever is going on. A question may be open, so nothing is said."""
        for task in (*self._client.tasks, *self._client.protocol.tasks):
            task.cancel()
        transport = self._client.protocol.transport
        # Python 3.11.2 cannot break off what is closing already.
        if transport is not None and not transport.is_closing():
            transport.abort()


@asynccontextmanager
async def opened(
    settings: EmailSettings, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Mailbox]:
    """A connection that is signed in. Raises ChannelUnreachable or ChannelRefused."""
    # Its messages hold whole mails.
    logging.getLogger("aioimaplib").setLevel(logging.WARNING)
    lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    context = (tls or ssl.create_default_context()) if settings.tls else None
    client = library().IMAP4(
        host=settings.imap_host or "",
        port=settings.imap_port,
        timeout=_TIMEOUT,
        conn_lost_cb=settling(lost),
        ssl_context=context,
    )
    where = f"{settings.imap_host}:{settings.imap_port}"
    mailbox = Mailbox(client, where, lost)
    try:
        password = settings.password.get_secret_value() if settings.password else ""
        await mailbox.sign_in(settings.username or settings.address or "", password)
        yield mailbox
    finally:
        mailbox.close()


def _errors() -> tuple[type[Exception], ...]:
    return (library().AioImapException, OSError, TimeoutError)


def _said(response: Response) -> str:
    """The last words of an answer."""
    last = bytes(response.lines[-1]) if response.lines else b""
    return last.decode("utf-8", "replace")[:200]


async def _awaited(future: asyncio.Future[Any]) -> Any:
    return await future


def quoted(text: str, *, coded: bool = True) -> str:
    """A name as IMAP writes it: within quotation marks, other letters coded (RFC 3501, 5.1.3)."""
    text = _coded(text) if coded else text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_OTHERS = re.compile(r"[^ -~]+|&")


def _coded(text: str) -> str:
    def encoded(found: re.Match[str]) -> str:
        if found[0] == "&":
            return "&-"
        letters = base64.b64encode(found[0].encode("utf-16-be")).decode().rstrip("=")
        return f"&{letters.replace('/', ',')}-"

    return _OTHERS.sub(encoded, text)
