"""Embedding models that a test can stop, break and mend."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import numpy as np
from numpy.typing import NDArray

from palaver.errors import ModelMissing
from tests.library import BagOfWords

_PATIENCE = 20


class Fickle(BagOfWords):
    """It is not there, until it is mended; it stops at each text, until it is let go."""

    def __init__(self, *, broken: bool = False, shut: bool = False) -> None:
        super().__init__()
        self.broken = broken
        self.gate = Event()
        self.reached = Event()
        if not shut:
            self.gate.set()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.broken:
            raise ModelMissing
        self.reached.set()
        assert self.gate.wait(_PATIENCE)
        return super().embed(texts)
