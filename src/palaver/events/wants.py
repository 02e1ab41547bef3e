"""Wants: whose replies are followed on which node.

Every node tells the others, and tells them again every so often. So nothing has to be taken back
for a node that died: what it wanted lapses.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from threading import Lock

TOLD_EVERY = 30.0
"""After so many seconds a node tells again what it wants."""
LAPSES = 3 * TOLD_EVERY


class Wants:
    """What the other nodes want, and what is wanted here. Thread-safe."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._theirs: dict[str, dict[str, float]] = {}
        """User → node → when it lapses."""
        self._ours: Counter[str] = Counter()

    def hear(self, node: str, user: str) -> None:
        """Another node wants the replies of a user."""
        with self._lock:
            self._theirs.setdefault(user, {})[node] = self._now() + LAPSES

    def leave(self, node: str, user: str) -> None:
        """It does not want them any more."""
        with self._lock:
            self._theirs.get(user, {}).pop(node, None)
            self._lapse(user)

    def is_wanted(self, user: str) -> bool:
        with self._lock:
            self._lapse(user)
            return user in self._theirs

    def _lapse(self, user: str) -> None:
        """Nothing is kept of those whom nobody wants any more."""
        wanted = self._theirs.pop(user, {})
        if left := {node: when for node, when in wanted.items() if when > self._now()}:
            self._theirs[user] = left

    def take(self, user: str) -> bool:
        """Somebody here follows the replies of a user; whether they are the first."""
        with self._lock:
            self._ours[user] += 1
            return self._ours[user] == 1

    def give(self, user: str) -> bool:
        """They do not any more; whether they were the last."""
        with self._lock:
            self._ours[user] -= 1
            if self._ours[user]:
                return False
            del self._ours[user]
            return True

    def ours(self) -> list[str]:
        with self._lock:
            return list(self._ours)
