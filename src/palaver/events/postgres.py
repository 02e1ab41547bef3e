"""Events of a database: those of this process, and those of other nodes, by LISTEN and NOTIFY.

One thread has one connection for both. A hint goes out after its commit and never inside it: the
server lets one transaction with a NOTIFY commit at a time. What comes while one is on its way goes
out together. After every connection, also the first, all who listen are told to look.

Nodes may say other things to each other on the same line, asides. A node that does not know what
an aside is takes it for a hint that it cannot read, and looks.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from threading import Condition, Thread
from time import monotonic
from typing import Any, Protocol, cast

import orjson

from palaver.errors import StorageError
from palaver.events.local import Hints, LocalEvents
from palaver.events.port import Hint
from palaver.postgres import Channel

_APART = 0.005
"""So many seconds lie between two notifications at least: what comes meanwhile is gathered."""
_MOST_BYTES = 7900
"""The server takes less than 8,000 in one."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
_ASIDE = "aside"

Aside = tuple[str, ...]
"""A few short words: what it is, and whom it is about. Never what was said."""


class Attendant(Protocol):
    """Whoever hears asides; called in the thread of the events, which must not wait."""

    def connected(self) -> None:
        """There is a new connection: asides may have been lost before it."""
        ...

    def hear(self, aside: Aside) -> None: ...


class PostgresEvents:
    """The Events of one node; it connects when it is first used."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._local = LocalEvents()
        self._attendant: Attendant | None = None
        self._signal = Condition()
        self._waiting: dict[str, int] = {}
        """User → the position that other nodes have not been told yet."""
        self._asides: dict[Aside, None] = {}
        """What else they have not been told yet, in order."""
        self._closed = False
        self._thread: Thread | None = None
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)

    def publish(self, hint: Hint) -> None:
        self._local.publish(hint)
        with self._signal:
            self._waiting[hint.user] = max(hint.pos, self._waiting.get(hint.user, 0))
        self.wake()

    @contextmanager
    def listen(self, user: str) -> Generator[Hints]:
        with self._local.listen(user) as hints:
            self.wake()
            yield hints

    def attend(self, attendant: Attendant) -> None:
        """Asides are given to `attendant`; call it before anything else."""
        self._attendant = attendant

    def tell(self, *asides: Aside) -> None:
        """Says something to the attendants of all other nodes; of the same that waits still, only
        the last goes out. From any thread; neither waits nor raises."""
        with self._signal:
            self._asides = _behind(self._asides, asides)
        self.wake()

    def close(self) -> None:
        """Returns when other nodes have been told of everything, or cannot be reached."""
        with self._signal:
            self._closed = True
            self._signal.notify_all()
            thread = self._thread
        if thread is not None:
            self._ring()
            thread.join()
        self._bell.close()
        self._ear.close()

    def wake(self) -> None:
        """Connects, unless that was done."""
        with self._signal:
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._work, name="palaver-events", daemon=True)
                self._thread.start()
        self._ring()

    def _ring(self) -> None:
        with suppress(OSError):  # it rings already, or nobody is there any more
            self._bell.send(b"\0")

    # -- in the thread -----------------------------------------------------------------------

    def _work(self) -> None:
        pause = _FIRST_PAUSE
        while not self._is_over():
            try:
                with closing(Channel(self._url)) as channel:
                    pause = _FIRST_PAUSE
                    self._local.miss()
                    if self._attendant is not None:
                        self._attendant.connected()
                    self._carry(channel)
            except StorageError:
                with self._signal:
                    if self._signal.wait_for(lambda: self._closed, pause):
                        return
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _is_over(self) -> bool:
        with self._signal:
            return self._closed and not self._has_news

    @property
    def _has_news(self) -> bool:
        return bool(self._waiting or self._asides)

    def _carry(self, channel: Channel) -> None:
        """Raises StorageError when the connection is lost."""
        said = 0.0
        poll = select.poll()
        poll.register(channel.fileno(), select.POLLIN)
        poll.register(self._ear.fileno(), select.POLLIN)
        while not self._is_over():
            due = said + _APART - monotonic()
            if self._has_news and due <= 0:
                self._say(channel)
                said = monotonic()
                continue
            for payload in channel.heard():
                self._hear(payload)
            poll.poll(max(due, 0) * 1000 + 1 if self._has_news else None)
            with suppress(BlockingIOError):
                self._ear.recv(4096)

    def _say(self, channel: Channel) -> None:
        with self._signal:
            told, self._waiting = self._waiting, {}
            asides, self._asides = self._asides, {}
        try:
            for payload in (*payloads(told), *_aside_payloads(asides)):
                channel.say(payload)
        except StorageError:
            with self._signal:
                self._asides = _behind(asides, self._asides)
                for user, pos in told.items():
                    self._waiting[user] = max(pos, self._waiting.get(user, 0))
            raise

    def _hear(self, payload: str) -> None:
        try:
            hints, asides = _read(orjson.loads(payload))
        except (LookupError, TypeError, ValueError):  # somebody else speaks there
            self._local.miss()
            return
        for hint in hints:
            self._local.publish(hint)
        if self._attendant is not None:
            for aside in asides:
                self._attendant.hear(aside)


def _behind(waiting: dict[Aside, None], later: Iterable[Aside]) -> dict[Aside, None]:
    """Both in order, each where it was said last: whoever left and came again is there."""
    new = dict.fromkeys(later)
    return {one: None for one in waiting if one not in new} | new


def payloads(told: Mapping[str, int]) -> Iterator[str]:
    """The positions of some users, in as few messages as the server takes."""
    return (f"[{part}]" for part in _gathered(told.items()))


def _aside_payloads(asides: Iterable[Aside]) -> Iterator[str]:
    return (f'{{"{_ASIDE}":[{part}]}}' for part in _gathered(asides))


def _gathered(items: Iterable[tuple[str | int, ...]]) -> Iterator[str]:
    """The items as JSON, as many together as one message holds."""
    part, size = list[str](), 2
    for item in items:
        text = orjson.dumps(item).decode()
        if size + len(text) + 1 > _MOST_BYTES:
            yield ",".join(part)
            part, size = [], 2
        part.append(text)
        size += len(text) + 1
    if part:
        yield ",".join(part)


def _read(said: Any) -> tuple[list[Hint], list[Aside]]:
    """Raises LookupError, TypeError, ValueError when it is neither."""
    if isinstance(said, dict):
        asides = cast("dict[str, Any]", said)[_ASIDE]
        return [], [tuple(map(str, one)) for one in asides]
    return [Hint(str(user), int(pos)) for user, pos in said], []
