"""What tests of the library share: a clock that a test moves, and a home of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from threading import current_thread

import numpy as np
from numpy.typing import NDArray

from palaver.app import Palaver
from palaver.settings import Settings


class Clock:
    """Every reading is a second after the one before, from 14 February 2026, 09:00 UTC on.

    Those of whoever looks for jobs in the background, every so often, do not count.
    """

    def __init__(self) -> None:
        self.now = datetime(2026, 2, 14, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        if not current_thread().name.startswith("palaver-job"):
            self.now += timedelta(seconds=1)
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


class BagOfWords:
    """Stands for an embedding model: texts that share words are near in meaning.

    Each word has a direction of its own, and a text the mean of those of its words.
    """

    identity = "bag-of-words"
    dimensions = 64

    def __init__(self) -> None:
        self.embedded: list[str] = []
        """Every text that was embedded, in order."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        vectors = np.array([self._sum(text) for text in texts], np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def reads(self, text: str) -> bool:
        return True

    def split(self, text: str) -> list[str]:
        return [text]

    def _sum(self, text: str) -> NDArray[np.float64]:
        return np.sum([self._direction(word) for word in text.lower().split() or [""]], axis=0)

    def _direction(self, word: str) -> NDArray[np.float64]:
        seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
        return np.random.default_rng(seed).standard_normal(self.dimensions)


def library(
    home: Path, clock: Clock, *, timezone: str = "UTC", database_url: str | None = None
) -> Palaver:
    """The library on a home, in a time zone that does not depend on the machine."""
    settings = Settings.load(home, user__timezone=timezone, database__url=database_url)
    return Palaver.open(settings=settings, clock=clock)
