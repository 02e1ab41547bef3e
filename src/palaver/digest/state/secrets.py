"""Secrets: what may be told in confidence, and is no memory. A refusal is cheap there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import log2

from palaver.digest.state.content import plain
from palaver.digest.state.cues import read_cues

_RUN = re.compile(r"(?<![\w@/.])[A-Za-z0-9+/_=!#$%&*?~-]{12,200}(?![\w@])")
_CARD = re.compile(r"(?<![\d.,])\d(?:[ -]?\d){12,18}(?![\d.,]\d|\d)")
_UUID = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}", re.IGNORECASE)
"""Drawn by lot, too, but to name something."""
_RANDOM = 3.2
"""Bits for each character: words have fewer."""


def is_secret(text: str) -> bool:
    """Whether `text` holds a password, a key, a card or the like."""
    if holds_key(text) or _of("prefix").search(text):
        return True
    if _of("seed", re.IGNORECASE).search(text):
        return True
    if _of("pin").search(plain(text)):
        return True
    if next(cards(text), None):
        return True
    if any(_is_value(found["value"]) for found in _told().finditer(_typed(text))):
        return True
    return next(drawn(text), None) is not None


def holds_key(text: str) -> bool:
    """Whether a key stands in `text` that is known by how it begins."""
    return bool(_of("keys").search(text))


def cards(text: str) -> Iterator[str]:
    """The numbers in `text` that have the check digit of a card."""
    return (found[0] for found in _CARD.finditer(text) if _luhn(found[0]))


def drawn(text: str) -> Iterator[str]:
    """The runs of characters in `text` that look drawn by lot."""
    return (found[0] for found in _RUN.finditer(text) if _is_random(found[0]))


@cache
def _of(kind: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(read_cues("palaver.digest.state.cues", "secrets")[kind]), flags)


@cache
def _told() -> re.Pattern[str]:
    """Names a secret, and says what it is."""
    words, said = _of("words").pattern, _of("said").pattern
    of = (
        r"(?: (?:for|to|of|on|in|fur|zum|zur|von|de|du|del|della|voor|do|da|het|the|my|our|mein\w*)"
    )
    whose = rf"{of}(?: [\w.'-]+){{1,4}}?)?"
    return re.compile(
        rf"\b{words}\b{whose}{said}['\"\u201c\u201e\u00ab`]?(?P<value>\S+)", re.IGNORECASE
    )


def _typed(text: str) -> str:
    """`text` with the signs of a typewriter; its case is kept, for a secret has one."""
    return text.replace("\u2019", "'").replace("\u00f1", "n")


def _is_value(value: str) -> bool:
    """Whether a word that is told for a password may be one."""
    value = value.strip(".,;:!?'\"\u201d\u201c\u00bb`)")
    return len(value) >= 3 and not _of("no_value", re.IGNORECASE).match(value)


def _luhn(card: str) -> bool:
    digits = [int(one) for one in card if one.isdigit()]
    doubled = [sum(divmod(2 * one, 10)) for one in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_random(run: str) -> bool:
    """Whether a run of characters looks drawn by lot: of several kinds, and of high entropy."""
    if _UUID.fullmatch(run):
        return False
    kinds = sum(any(test(one) for one in run) for test in (str.islower, str.isupper, str.isdigit))
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(run))
    if run.isdigit() or kinds < 2 or not any(map(str.isdigit, run)) or switches < 3:
        return False
    return _entropy(run) >= _RANDOM


def _entropy(run: str) -> float:
    shares = [run.count(one) / len(run) for one in set(run)]
    return -sum(share * log2(share) for share in shares)
