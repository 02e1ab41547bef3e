"""Hosting: the channels of a server run, are told how they fare, and deliver what is due."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from time import monotonic

from palaver.app import Palaver
from palaver.channels.connection import Connection
from palaver.channels.directory import Directory
from palaver.channels.port import ChannelState, Received, State, Tested, Update, Webhook
from palaver.channels.trying import tried
from palaver.errors import ChannelError, IndexUnavailable, NotFound, StorageError, TooFarBehind
from palaver.server.libraries import Libraries
from palaver.times import Clock, iso

log = logging.getLogger(__name__)

LOOK_EVERY = 60.0
"""After so many seconds it is looked for what is to be sent, and for who waits, all the same."""
TRY_AGAIN = 300.0
"""After so many seconds a channel that was refused is tried again: a password may be right now."""
_OFF = "It is not enabled in the settings."
_FAULT = "It stopped because of a fault in Palaver: the log says where."


class Host:
    """Runs the channels that are connected."""

    def __init__(self, directory: Directory, libraries: Libraries, clock: Clock) -> None:
        self.directory = directory
        self._libraries = libraries
        self._clock = clock
        self._states: dict[str, ChannelState] = {}

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """The channels run until the block ends."""
        async with AsyncExitStack() as stack:
            for one in self.directory.values():
                stack.push_async_callback(one.channel.close)
                self._tell(one.name, "waiting", None)
            users = {user for one in self.directory.values() for user in one.users}
            works = [
                *(self._receive(one) for one in self.directory.values()),
                *(self._post(user) for user in sorted(users)),
            ]
            for work in works:
                stack.push_async_callback(_end, asyncio.create_task(work))
            yield

    # -- what others ask ---------------------------------------------------------------------

    def connection(self, name: str) -> Connection:
        """Raises NotFound for a channel that is not connected."""
        if (found := self.directory.get(name)) is None:
            raise _missing(name)
        return found

    def webhook(self, name: str) -> tuple[Connection, Webhook]:
        """A channel whose provider calls. Raises NotFound for any other."""
        by = self.connection(name)
        if not isinstance(by.channel, Webhook):
            raise _missing(name)
        return by, by.channel

    def states(self, user: str) -> list[ChannelState]:
        """How the channels fare that a user takes part in."""
        return [
            self._states.get(one.name) or ChannelState(name=one.name, state="off", why=_OFF)
            for one in self.directory.values()
            if user in one.users
        ]

    async def test(self, user: str, name: str) -> Tested:
        """Tries out a channel that a user takes part in. Raises NotFound, also for one of which
        they know nothing."""
        by = self.connection(name)
        if user not in by.users:
            raise _missing(name)
        return await tried(by.channel)

    # -- receiving ---------------------------------------------------------------------------

    async def take(self, by: Connection, update: Update) -> None:
        """Returns once it is safe with whom it belongs to. Raises StorageError, IndexUnavailable:
        then the provider is not told that it was received."""
        for user in await self._concerned(by, update):
            async with self._libraries.of(user) as palaver:
                await palaver.correspondence.take(by, update)

    async def _concerned(self, by: Connection, update: Update) -> Iterable[str]:
        """To whom an update goes. What is told of an earlier message goes to whoever has that; the
        others do not know it. A mail in a thread goes to whoever is in it."""
        if not isinstance(update, Received):
            return sorted(by.users)
        user = by.user_of(update.sender, update.proof)
        if update.place.kind != "thread" or user != by.settings.user or len(by.users) == 1:
            return [by.settings.user if update.place.kind == "group" else user]
        for other in sorted(by.users - {user}):
            async with self._libraries.of(other) as palaver:
                if await palaver.correspondence.knows(by, update):
                    return [other]
        return [user]

    async def _receive(self, by: Connection) -> None:
        """One process at a time receives by a channel; whoever waits takes over when it ends."""
        tell = partial(self._tell, by.name)
        while True:
            try:
                async with (
                    self._libraries.of(by.settings.user) as palaver,
                    palaver.correspondence.receiving(by),
                ):
                    await by.channel.run(partial(self.take, by), tell)
            except (ChannelError, StorageError) as error:
                tell("failing", f"{error.message} {error.remedy}")
            except Exception as error:  # noqa: BLE001 - the others go on
                _report(by.name, error)
                tell("failing", _FAULT)
            await asyncio.sleep(TRY_AGAIN)

    def _tell(self, name: str, state: State, why: str | None) -> None:
        known = self._states.get(name)
        if known is None or (known.state, known.why) != (state, why):
            since = iso(self._clock())
            if known is not None and known.state == state:
                since = known.since or since
            self._states[name] = ChannelState(name=name, state=state, since=since, why=why)
            if state == "failing":  # whoever starts it sees so, too, and not only on the page
                log.warning("channel_failing %s: %s", name, why)

    # -- delivering --------------------------------------------------------------------------

    async def _post(self, user: str) -> None:
        """What is due to a user is sent, as soon as it is stored by whomever. It is due all the
        same when that cannot be now, or when something of ours is wrong."""
        while True:
            try:
                async with self._libraries.of(user) as palaver:
                    await self._keep_posting(palaver)
            except (StorageError, IndexUnavailable) as error:
                log.warning("delivery_waits %s", error.code)
            except Exception as error:  # noqa: BLE001 - it goes on a little later
                _report("delivery", error)
            await asyncio.sleep(LOOK_EVERY)

    async def _keep_posting(self, palaver: Palaver) -> None:
        moved = asyncio.Event()
        listening = asyncio.create_task(_listen(palaver, moved))
        looked = -LOOK_EVERY
        try:
            while True:
                moved.clear()
                if monotonic() - looked >= LOOK_EVERY:
                    looked = monotonic()
                    await palaver.correspondence.recover()
                later = await palaver.correspondence.deliver()
                await _reason_to_look(moved, later, self._clock)
        finally:
            await _end(listening)


def _missing(name: str) -> NotFound:
    return NotFound(f"There is no channel {name[:80]}.", remedy="Enable it in the settings.")


async def _listen(palaver: Palaver, moved: asyncio.Event) -> None:
    while True:
        with suppress(TooFarBehind, StorageError, IndexUnavailable):
            async with aclosing(palaver.listen()) as happenings:
                async for _ in happenings:
                    moved.set()
        moved.set()
        await asyncio.sleep(1)


async def _reason_to_look(moved: asyncio.Event, later: datetime | None, clock: Clock) -> None:
    seconds = LOOK_EVERY
    if later is not None:
        seconds = min(seconds, max(0.0, (later - clock()).total_seconds()))
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await moved.wait()


def _report(name: str, error: Exception) -> None:
    """Where it happened, without what it happened to: an error's text may quote a message."""
    places = "".join(traceback.format_tb(error.__traceback__))
    log.error("channel_failed %s %s\n%s", name, type(error).__name__, places)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
