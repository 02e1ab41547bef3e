"""Mail comes from a real server, whatever befalls the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from palaver.channels.email import receiving
from palaver.channels.email.channel import EmailChannel
from palaver.channels.email.receiving import Rhythm
from palaver.channels.port import Received, State, Update
from palaver.errors import ChannelRefused, StorageFailed
from tests.channels.email.mails import NOW, clock, mail, settings
from tests.channels.email.servers import PASSWORD, ImapServer, imap


async def at_once(seconds: float) -> None:
    """Nobody waits in a test."""
    await asyncio.sleep(0)


QUICK = Rhythm(idle=5, poll=0.02, retry=0.02, wait=at_once)
WAIT = 20


class Desk:
    """Takes what comes, or refuses it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Received] = asyncio.Queue()
        self.refused: list[str] = []
        self.offered: list[str] = []
        self.states: list[tuple[State, str | None]] = []
        self._changed = asyncio.Event()
        self._looked = 0

    async def take(self, update: Update) -> None:
        assert isinstance(update, Received)
        self.offered.append(update.id)
        if update.id in self.refused:
            raise StorageFailed
        self.queue.put_nowait(update)

    def tell(self, state: State, why: str | None) -> None:
        self.states.append((state, why))
        self._changed.set()

    async def next(self) -> Received:
        return await asyncio.wait_for(self.queue.get(), WAIT)

    async def until(self, state: State) -> str | None:
        """What was wrong when it was so, after the state that was waited for before."""
        async with asyncio.timeout(WAIT):
            while True:
                while self._looked < len(self.states):
                    self._looked += 1
                    if self.states[self._looked - 1][0] == state:
                        return self.states[self._looked - 1][1]
                self._changed.clear()
                await self._changed.wait()


def channel_at(server: ImapServer, rhythm: Rhythm = QUICK, **more: object) -> EmailChannel:
    given = {
        "imapHost": "127.0.0.1",
        "imapPort": server.port,
        "smtpHost": "127.0.0.1",
        "password": PASSWORD,
        "tls": False,
    }
    return EmailChannel(settings(**(given | more)), clock, rhythm=rhythm)


@asynccontextmanager
async def running(
    server: ImapServer, rhythm: Rhythm = QUICK, **more: object
) -> AsyncGenerator[Desk]:
    desk = Desk()
    task = asyncio.ensure_future(channel_at(server, rhythm, **more).run(desk.take, desk.tell))
    try:
        yield desk
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def settled(server: ImapServer, wanted: list[int], folder: str = "INBOX") -> None:
    """Until those mails, and no others, are marked as read."""
    async with asyncio.timeout(WAIT):
        async for seen in server.watched(folder):
            if seen == wanted:
                return


async def test_mail_is_taken_and_then_marked_as_read() -> None:
    async with imap() as server:
        uid = await server.put(mail("First"), when=NOW)
        async with running(server) as desk:
            assert (await desk.next()).text == "First"
            await settled(server, [uid])
            assert desk.states == [("waiting", None), ("connected", None)]


async def test_the_server_tells_of_new_mail() -> None:
    async with imap() as server, running(server) as desk:
        await desk.until("connected")
        for number in range(3):
            await server.put(mail(f"Number {number}", message_id=f"<{number}@x>"), when=NOW)
            assert (await desk.next()).text == f"Number {number}"


async def test_a_server_that_does_not_tell_is_asked() -> None:
    async with imap(idle=False) as server, running(server) as desk:
        await desk.until("connected")
        await server.put(mail("Later"), when=NOW)
        assert (await desk.next()).text == "Later"


async def test_a_connection_that_breaks_is_made_again_and_nothing_is_taken_twice() -> None:
    async with imap() as server, running(server) as desk:
        await server.put(mail("Before", message_id="<1@x>"), when=NOW)
        assert (await desk.next()).id == "1@x"
        await settled(server, [101])
        server.cut()
        why = await desk.until("failing")
        assert why is not None
        assert "closed the connection" in why
        await desk.until("connected")
        await server.put(mail("After", message_id="<2@x>"), when=NOW)
        assert (await desk.next()).id == "2@x"
        assert desk.offered == ["1@x", "2@x"]


async def test_a_server_that_is_away_is_waited_for() -> None:
    pauses: list[float] = []

    async def wait(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 8:
            await server.listen()

    rhythm = Rhythm(wait=wait)
    async with imap() as server:
        await server.put(mail(), when=NOW)
        await server.stop()
        async with running(server, rhythm) as desk:
            await desk.until("connected")
            assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
            assert [state for state, _ in desk.states] == ["waiting", "failing", "connected"]


async def test_a_folder_with_another_uidvalidity_is_read_again() -> None:
    async with imap() as server, running(server) as desk:
        for number in range(3):
            await server.put(mail(message_id=f"<{number}@x>"), when=NOW)
            await desk.next()
        await server.renumber()
        server.cut()
        again = [(await desk.next()).id for _ in range(3)]
        assert again == ["0@x", "1@x", "2@x"]
        await server.put(mail(message_id="<new@x>"), when=NOW)
        assert (await desk.next()).id == "new@x"


async def test_only_the_last_days_are_read_at_a_start() -> None:
    async with imap() as server:
        await server.put(mail(message_id="<old@x>"), when=NOW - timedelta(days=400))
        await server.put(mail(message_id="<new@x>"), when=NOW - timedelta(days=3))
        async with running(server) as desk:
            assert (await desk.next()).id == "new@x"
            await desk.until("connected")
            assert desk.offered == ["new@x"]


async def test_only_so_many_mails_are_read_at_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "_MOST_AT_START", 5)
    async with imap() as server:
        for number in range(20):
            await server.put(mail(message_id=f"<{number}@x>"), when=NOW)
        async with running(server) as desk:
            await desk.until("connected")
            assert desk.offered == [f"{number}@x" for number in range(15, 20)]


async def test_a_mail_that_is_not_taken_is_offered_again_and_blocks_no_other() -> None:
    async with imap() as server, running(server) as desk:
        desk.refused.append("bad@x")
        await server.put(mail(message_id="<bad@x>"), when=NOW)
        await server.put(mail(message_id="<good@x>"), when=NOW)
        assert (await desk.next()).id == "good@x"
        await settled(server, [102])
        assert "could not be kept" in (await desk.until("failing") or "")
        desk.refused.clear()
        assert (await desk.next()).id == "bad@x"
        await settled(server, [101, 102])
        await desk.until("connected")


async def test_a_mail_over_which_the_server_dies_blocks_no_other() -> None:
    async with imap() as server:
        server.deadly.add(await server.put(mail(message_id="<deadly@x>"), when=NOW))
        await server.put(mail(message_id="<good@x>"), when=NOW)
        async with running(server) as desk:
            assert (await desk.next()).id == "good@x"
            await desk.until("failing")
            server.deadly.clear()
            assert (await desk.next()).id == "deadly@x"


async def test_several_folders_are_followed() -> None:
    async with imap() as server:
        await server.add_folder("Büro & mehr")
        async with running(server, folders=["INBOX", "Büro & mehr"]) as desk:
            await desk.until("connected")
            await server.put(mail(message_id="<1@x>"), when=NOW)
            await server.put(mail(message_id="<2@x>"), "Büro & mehr", when=NOW)
            assert {(await desk.next()).id, (await desk.next()).id} == {"1@x", "2@x"}


async def test_a_folder_that_is_missing_is_refused() -> None:
    async with imap() as server:
        channel = channel_at(server, folders=["INBOX", "Nowhere"])
        desk = Desk()
        with pytest.raises(ChannelRefused, match="Nowhere"):
            await channel.run(desk.take, desk.tell)


async def test_a_wrong_password_is_refused() -> None:
    async with imap() as server:
        channel = channel_at(server, password='wrong "one"')
        desk = Desk()
        with pytest.raises(ChannelRefused, match="refuses the password"):
            await channel.run(desk.take, desk.tell)


async def test_of_a_huge_mail_only_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "MOST_BYTES", 300_000)
    huge = mail("The beginning.\r\n" + "More and more. " * 200_000)
    async with imap() as server:
        await server.put(huge, when=NOW)
        async with running(server) as desk:
            message = await desk.next()
    assert message.text.startswith("The beginning.")
    assert message.text.endswith("[This mail is 3.0 MB large: only its beginning was read.]")
    assert len(message.text) < 300_000


async def test_many_mails_and_odd_literals_come_through() -> None:
    async with imap() as server:
        texts = ["{5}", "a (b", ") FETCH (", "* 1 EXISTS", "A1 OK done", "", "x" * 70_000]
        for number in range(120):
            text = texts[number % len(texts)]
            await server.put(mail(text, message_id=f"<{number}@x>"), when=NOW)
        async with running(server) as desk:
            got = [await desk.next() for _ in range(120)]
    assert [one.id for one in got] == [f"{number}@x" for number in range(120)]
    assert got[2].text == ") FETCH ("
