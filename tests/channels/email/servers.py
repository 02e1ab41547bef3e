"""Real servers for mail, on this machine: pymap for IMAP, aiosmtpd for SMTP."""

from __future__ import annotations

import asyncio
import ssl
import warnings
from argparse import Namespace
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.dict import Config, Login
from pymap.backend.dict.mailbox import MailboxData, MailboxSet, Message
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import Passwords, UserMetadata
from pysasl.hashing import Cleartext

USER = "agent@palaver.test"
PASSWORD = "correct horse"


def certified(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server needs to be encrypted, and what a client needs to believe it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    address = x509.IPAddress(IPv4Address("127.0.0.1"))
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
        .public_bytes(Encoding.PEM)
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    chain = folder / "server.pem"
    chain.write_bytes(private + certificate)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(chain)
    return server, ssl.create_default_context(cadata=certificate.decode())


class ImapServer:
    """A server with one account, whose connections can be cut."""

    def __init__(self, *, idle: bool = True, tls: ssl.SSLContext | None = None) -> None:
        self._idle = idle
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self.port = 0
        self.away = False
        """Whether it hangs up at once."""
        self.deadly: set[int] = set()
        """Mails over which it dies."""

    async def start(self) -> None:
        config = _Config(
            Namespace(passlib_cfg=None, proxy_protocol=None),
            host="127.0.0.1",
            port=0,
            demo_data=False,
            demo_user=USER,
            demo_password=PASSWORD,
            tls_enabled=False,
            invalid_user_sleep=0,
            hash_context=Cleartext(),
            idle=self._idle,
        )
        config.apply_context()
        self._config = config
        login = Login(config)
        known = UserMetadata(config, USER, password=await Passwords(config).hash_password(PASSWORD))
        await login.demo_user_identity.set(known)
        self._login = login
        await self.listen()

    async def listen(self) -> None:
        speak = ProxyProtocolReader(self._config.proxy_protocol).get_callback(
            IMAPServer(self._login, self._config)
        )

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            if self.away:
                writer.transport.abort()
                return
            read = reader.readline

            async def readline() -> bytes:
                line = await read()
                if any(b"FETCH %d (UID BODY" % uid in line for uid in self.deadly):
                    writer.transport.abort()
                return line

            reader.readline = readline
            await speak(reader, writer)

        self._server = await asyncio.start_server(serve, "127.0.0.1", self.port, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    def cut(self) -> None:
        """Cuts every connection, without a word."""
        for writer in self._writers:
            if not writer.transport.is_closing():
                writer.transport.abort()
        self._writers.clear()

    async def mailbox(self, name: str = "INBOX") -> MailboxData:
        return await (await self._mailboxes()).get_mailbox(name)

    async def _mailboxes(self) -> MailboxSet:
        async with self._login.demo_user_identity.new_session() as session:
            return session.mailbox_set

    async def add_folder(self, name: str) -> None:
        await (await self._mailboxes()).add_mailbox(name)

    async def put(self, raw: bytes, folder: str = "INBOX", when: datetime | None = None) -> int:
        """A mail arrives; gives its UID."""
        box = await self.mailbox(folder)
        message = await box.append(AppendMessage(raw, when or datetime.now(UTC), frozenset()))
        return message.uid

    async def seen(self, folder: str = "INBOX") -> list[int]:
        """The UIDs of mails that are marked as read."""
        box = await self.mailbox(folder)
        return [
            message.uid
            async for message in box.messages()
            if any(flag.value == b"\\Seen" for flag in message.permanent_flags)
        ]

    async def watched(self, folder: str = "INBOX") -> AsyncGenerator[list[int]]:
        """The same, again and again."""
        while True:
            yield await self.seen(folder)
            await asyncio.sleep(0.01)

    async def renumber(self, folder: str = "INBOX") -> None:
        """The folder is made anew: the same mails, another UIDVALIDITY, other UIDs."""
        box: Any = await self.mailbox(folder)
        kept: list[Any] = [message async for message in box.messages()]
        box._uid_validity += 1
        box._messages.clear()
        box._max_uid = 0
        for message in kept:
            box._max_uid += 1
            box._messages[box._max_uid] = Message.copy(message, uid=box._max_uid)


class _Config(Config):
    def __init__(self, args: Namespace, *, idle: bool, **extra: Any) -> None:
        super().__init__(args, **extra)
        self._with_idle = idle

    @property
    def backend_capability(self) -> Any:
        from pymap.config import BackendCapability

        return BackendCapability(idle=self._with_idle, object_id=True, multi_append=True)


class _Absent(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        transport.abort()


@dataclass
class SmtpServer:
    """A server that keeps what it is given, and can be told to refuse."""

    got: list[Envelope] = field(default_factory=list[Envelope])
    answers: dict[str, str] = field(default_factory=dict[str, str])
    """What it says to a command instead of taking it. `cut` closes the connection, and `silent`
    does so once it has taken the mail."""
    away: bool = False
    """Whether it hangs up at once."""
    port: int = 0
    tls: ssl.SSLContext | None = None
    """With it, nothing is taken before STARTTLS."""
    _server: asyncio.Server | None = None
    _speakers: list[SMTP] = field(default_factory=list[SMTP])

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if "RCPT" in self.answers:
            return self.answers["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        answer = self.answers.get("DATA", "250 OK")
        if answer in ("cut", "silent"):
            if answer == "silent":
                self.got.append(envelope)
            server.transport.abort()
            return "451 never heard"
        if answer.startswith("2"):
            self.got.append(envelope)
        return answer

    async def start(self) -> None:
        def known(
            server: Any, session: Any, envelope: Any, mechanism: Any, data: Any
        ) -> AuthResult:
            assert isinstance(data, LoginPassword)
            right = (USER.encode(), PASSWORD.encode()) == (data.login, data.password)
            return AuthResult(success=right, handled=right)

        def speaker() -> asyncio.Protocol:
            if self.away:
                return _Absent()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of passwords that are not encrypted
                speaking = SMTP(
                    self,
                    authenticator=known,
                    auth_required=True,
                    auth_require_tls=self.tls is not None,
                    tls_context=self.tls,
                    require_starttls=self.tls is not None,
                    hostname="mail.palaver.test",
                    enable_SMTPUTF8=True,
                    loop=loop,
                )
            self._speakers.append(speaking)
            return speaking

        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(speaker, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for speaker in self._speakers:
            if speaker.transport is not None:
                speaker.transport.close()
        await self._server.wait_closed()


@asynccontextmanager
async def imap(
    *, idle: bool = True, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[ImapServer]:
    server = ImapServer(idle=idle, tls=tls)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def smtp(tls: ssl.SSLContext | None = None) -> AsyncGenerator[SmtpServer]:
    server = SmtpServer(tls=tls)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
