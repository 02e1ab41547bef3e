"""Clean text: what a model says, so that it can be stored whatever it is."""

from __future__ import annotations

import re

from palaver.text.fitting import fit

_HELD = re.compile("[\ud800-\udbff]$")


class Cleaner:
    """Some providers cut a character in two: its halves come in two pieces, and are joined here."""

    def __init__(self) -> None:
        self._held = ""

    def clean(self, piece: str) -> str:
        """The text that is whole by now; what can never be stored becomes a replacement sign."""
        text = self._held + piece
        self._held = text[-1] if _HELD.search(text) else ""
        return fit(text[: len(text) - len(self._held)])

    def rest(self) -> str:
        held, self._held = self._held, ""
        return fit(held)
