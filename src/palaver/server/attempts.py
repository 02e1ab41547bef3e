"""Attempts: how often a password may be wrong before whoever tries has to wait.

Each name and each address has ten wrong passwords, of which one comes back every half minute. An
attempt counts when it begins, so that many at once are no way round; a right password gives its own
back. Somebody who hammers a name keeps it waiting for strangers only: a place from which its owner
signed in before counts by itself. Behind a proxy all come from one place, so only names count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import TypeVar

from palaver.accounts.names import MOST_TYPED, folded
from palaver.errors import LimitReached
from palaver.server.addresses import plain_address

MOST = 10
EVERY = 30.0
"""One comes back after so many seconds."""
REMEMBERED = 10_000
"""So many names and addresses are counted, and as many places known."""
Key = tuple[str, str]
T = TypeVar("T")
_NETWORK = 64
"""Somebody with IPv6 has as many addresses as they like that begin with the same bits."""


class Attempts:
    """Counts wrong passwords on this node. Belongs to one event loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._spent: dict[Key, tuple[float, float]] = {}
        """What is counted → how many have not come back, and when that was; the latest last."""
        self._places: dict[Key, None] = {}
        """Names, and addresses from which somebody signed in by them."""

    def begin(self, name: str, peer: str | None) -> Attempt:
        """Raises LimitReached, and then nothing was counted. `peer` is where it comes from, None
        when that tells nothing."""
        attempt = Attempt(self, folded(name[:MOST_TYPED]), network(peer))
        wait = max(self._wait(key) for key in attempt.counted())
        if wait > 0:
            raise LimitReached(
                "A wrong password was given too often.",
                retry_after=wait,
                remedy=f"Wait {ceil(wait)} seconds, and try again then.",
            )
        for key in attempt.counted():
            self._count(key, 1)
        return attempt

    def is_known(self, name: str, place: str) -> bool:
        return (name, place) in self._places

    def give_back(self, attempt: Attempt) -> None:
        for key in attempt.counted():
            self._count(key, -1)

    def remember(self, name: str, place: str) -> None:
        """Somebody signed in by this name from there."""
        self._places.pop((name, place), None)
        self._places[name, place] = None
        _shorten(self._places)

    def _left(self, key: Key) -> float:
        spent, when = self._spent.get(key, (0.0, 0.0))
        return max(0.0, spent - (self._now() - when) / EVERY)

    def _wait(self, key: Key) -> float:
        """How many seconds until one more may be wrong."""
        return (self._left(key) + 1 - MOST) * EVERY

    def _count(self, key: Key, amount: int) -> None:
        left = max(0.0, self._left(key) + amount)
        self._spent.pop(key, None)
        if left:
            self._spent[key] = (left, self._now())
            _shorten(self._spent)


class Attempt:
    """One that has begun."""

    def __init__(self, attempts: Attempts, name: str, place: str | None) -> None:
        self._attempts = attempts
        self.name = name
        self.place = place
        self._is_known = place is not None and attempts.is_known(name, place)

    def counted(self) -> list[Key]:
        """What it counts for."""
        by_name = [] if self._is_known else [("name", self.name)]
        return by_name + ([("place", self.place)] if self.place is not None else [])

    def succeeded(self) -> None:
        """The password was right."""
        self.take_back()
        if self.place is not None:
            self._attempts.remember(self.name, self.place)

    def take_back(self) -> None:
        """It does not count: as when nobody can tell whether the password was right."""
        self._attempts.give_back(self)


def network(peer: str | None) -> str | None:
    """Where somebody comes from; None for this machine, where a proxy may stand for everybody."""
    if peer is None:
        return None
    address = plain_address(peer)
    if address is None or address.is_loopback:
        return None
    bits = address.packed
    return bits.hex() if address.version == 4 else bits[: _NETWORK // 8].hex()


def _shorten(entries: dict[Key, T]) -> None:
    """Forgets the oldest of too many."""
    while len(entries) > REMEMBERED:
        del entries[next(iter(entries))]
