"""Tokens: how much of a model's window a text takes, estimated without asking anybody.

What a text costs depends on its letters and on where words begin. The costs were fitted to six
tokenizers so that the estimate is rather a little above the costliest of them than below it; how,
and how far it is off, is told in `docs/explanation/context.md`.
"""

from __future__ import annotations

from math import ceil
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from orjson import dumps

from palaver.index.records import Json

CHARACTERS = 4
"""A token holds at most so many characters on average: the estimate is never below that."""
PER_MESSAGE = 4
"""What a message costs beside its text: its role, and where it begins and ends."""
PER_CALL = 8
"""What a tool call costs beside its name and what it is given."""

_LETTERS = {
    **dict.fromkeys("cefghmnoprsty", 0.1),
    **dict.fromkeys("bjqvxz", 1.63),
    "a": 0.28,
    "d": 0.2,
    "i": 0.68,
    "k": 1.58,
    "l": 0.34,
    "u": 0.6,
    "w": 0.22,
}
"""What each small letter costs: those of English words little, those that make other words."""

_OTHER, _PLAIN, _SMALL, _CAPITAL, _DIGIT, _SIGN, _CYRILLIC, _SEMITIC, _RARE, _HANGUL = range(10)
_RANGES = (
    (0x00, 0x20, _PLAIN, 0.02),  # white space
    (0x21, 0x7E, _SIGN, 0.18),
    (0x30, 0x39, _DIGIT, 1.16),
    (0x41, 0x5A, _CAPITAL, 0.47),
    (0x61, 0x7A, _SMALL, 0.1),
    (0xC0, 0x24F, _OTHER, 2.2),  # Latin letters with marks
    (0x300, 0x36F, _OTHER, 2.2),
    (0x370, 0x3FF, _OTHER, 1.33),  # Greek
    (0x400, 0x52F, _CYRILLIC, 0.27),
    (0x530, 0x58F, _RARE, 1.89),  # Armenian
    (0x590, 0x8FF, _SEMITIC, 0.86),  # Hebrew, Arabic
    (0x900, 0x109F, _OTHER, 2.06),  # India, Thailand, Tibet, Burma
    (0x10A0, 0x10FF, _RARE, 1.89),  # Georgian
    (0x1100, 0x11FF, _HANGUL, 1.15),
    (0x1200, 0x1DFF, _RARE, 1.89),  # Ethiopian, Khmer, Mongolian
    (0x1E00, 0x1EFF, _OTHER, 2.2),
    (0x1F00, 0x1FFF, _OTHER, 1.33),
    (0x2E80, 0x9FFF, _OTHER, 1.33),  # Chinese
    (0x3040, 0x30FF, _OTHER, 0.87),  # Japanese syllables
    (0xAC00, 0xD7AF, _HANGUL, 1.15),
    (0xF900, 0xFAFF, _OTHER, 1.33),
    (0xFB1D, 0xFDFF, _SEMITIC, 0.86),
    (0xFE70, 0xFEFF, _SEMITIC, 0.86),
    (0xFF00, 0xFFEF, _OTHER, 1.33),
    (0x10000, 0x1FFFF, _OTHER, 3.93),  # emoji
)
"""From, to, what kind of character, and what one costs; a later line goes before an earlier one."""
_ELSE = 1.5
_BEGINNINGS = {_SIGN: 0.79, _CYRILLIC: 2.11, _SEMITIC: 1.44, _RARE: 1.86, _HANGUL: 0.83}
"""What it costs when a run of such characters begins."""
_LAST = 0x1FFFF
"""Every character from here on costs the same."""
_BLOCK = 1 << 16
"""So many characters are looked at in one step, so that a long text takes little memory."""

_REMEMBERED = 10_000
"""So many texts are remembered, some hundred conversations of them."""


class TokenCounter(Protocol):
    """Whoever can say how many tokens a text is."""

    def count(self, text: str) -> int:
        """The tokens of `text`; 0 for an empty one, and never fewer than a quarter of its length.

        Whoever counts may rather say too many than too few.
        """
        ...


class EstimatedTokens:
    """Counts by what kinds of characters there are. Hundreds of times faster than a tokenizer.

    It remembers what texts cost, by their hashes and not by their words: the next packet of a
    conversation shows mostly the same messages.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}

    def count(self, text: str) -> int:
        name = hash(text), len(text)
        known = self._known.get(name)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[name] = _estimate(text)
        return known


def _estimate(text: str) -> int:
    blocks = range(0, len(text), _BLOCK)
    cost = sum(_cost(text[start : start + _BLOCK]) for start in blocks)
    return max(ceil(cost), ceil(len(text) / CHARACTERS))


def count_message(counter: TokenCounter, message: Json) -> int:
    """What a message costs as a model gets it, with the tool calls it holds."""
    content = message.get("content") or ""
    text = content if isinstance(content, str) else dumps(content).decode()
    return PER_MESSAGE + counter.count(text) + sum(_call(counter, call) for call in _calls(message))


def _calls(message: Json) -> list[Json]:
    return cast("list[Json]", message.get("tool_calls") or [])


def _call(counter: TokenCounter, call: Json) -> int:
    return PER_CALL + counter.count(dumps(call.get("function", call)).decode())


def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    costs = np.full(_LAST + 1, _ELSE, np.float32)
    kinds = np.full(_LAST + 1, _OTHER, np.uint8)
    for first, last, kind, cost in _RANGES:
        costs[first : last + 1], kinds[first : last + 1] = cost, kind
    for letter, cost in _LETTERS.items():
        costs[ord(letter)] = cost
    return costs, kinds


def _transitions() -> NDArray[np.float32]:
    """What it costs when a character of one kind follows on one of another."""
    costs = np.zeros((10, 10), np.float32)
    for kind, cost in _BEGINNINGS.items():
        costs[:, kind] = cost
        costs[kind, kind] = 0
    costs[_SMALL, _CAPITAL] = 1.11
    costs[_DIGIT, _SMALL] = costs[_DIGIT, _CAPITAL] = 0.18
    return costs.ravel()


_COSTS, _KINDS = _tables()
_STEPS = _transitions()


def _cost(text: str) -> float:
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), np.uint8)
    else:
        wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        codes = np.minimum(wide, _LAST)
    kinds = _KINDS[codes]
    steps = kinds[:-1] * np.uint8(10) + kinds[1:]
    first = _BEGINNINGS.get(int(kinds[0]), 0.0)
    return float(_COSTS[codes].sum()) + float(_STEPS[steps].sum()) + first
