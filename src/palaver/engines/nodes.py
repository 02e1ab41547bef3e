"""The nodes of this process: whoever uses the same database in the same way shares one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from palaver.engines.background import Background
from palaver.engines.loading import ModelLoader
from palaver.engines.node import PostgresNode
from palaver.jobs.work import Work
from palaver.times import Clock

Key = tuple[str, Clock, tuple[Path, int] | None, Background, tuple[Work, ...]]


@dataclass(slots=True)
class _Held:
    node: PostgresNode
    holders: int = 0


class Nodes:
    """Opens a node for the first who takes it, and closes it after the last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: dict[Key, _Held] = {}

    def take(
        self,
        url: str,
        load: ModelLoader | None,
        clock: Clock,
        background: Background,
        work: Sequence[Work] = (),
    ) -> Holding:
        """Raises DatabaseUnusable, DatabaseTooNew, StorageFailed."""
        key = (url, clock, load.key if load else None, background, tuple(work))
        with self._lock:
            if key not in self._held:
                self._held[key] = _Held(PostgresNode(url, load, clock, background, work))
            self._held[key].holders += 1
            return Holding(self, key, self._held[key].node)

    def leave(self, key: Key) -> None:
        with self._lock:
            held = self._held[key]
            held.holders -= 1
            if not held.holders:
                del self._held[key]
                held.node.close()


@dataclass(frozen=True, slots=True)
class Holding:
    """A node, for somebody who says when they are done with it."""

    nodes: Nodes
    key: Key
    node: PostgresNode

    def leave(self) -> None:
        self.nodes.leave(self.key)


NODES = Nodes()
"""Those of this process."""
