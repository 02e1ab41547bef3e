"""Confided: what plainly tells a secret, and stands in no digest.

Whatever is taken for a secret is missing in titles, topics and loops. So a sentence has to tell
its value: to speak of a token, a login or a code is not enough, as it is for a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from palaver.digest.state.cues import read_cues
from palaver.digest.state.secrets import cards, drawn, holds_key
from palaver.digest.state.sentences import Sentence

_ENDS = re.compile(r"[.!?]\s|\n")
_ISSUED = re.compile(r"[3-6]|2[2-7]")
"""How the number of a card begins. A time and the number of a book begin otherwise."""
_SHORTEST_CARD = 14
_DATED = re.compile(r"\d{4}-?\d\d")
_QUOTES = ".,;:!?'\"\u201d\u201c\u00bb`)"
_LEAST, _LEAST_MIXED = 3, 6


def tells_secret(text: str) -> bool:
    """Whether `text` tells a password, a PIN, a key or the number of a card."""
    if holds_key(text) or _of("key").search(text) or _of("seed").search(text):
        return True
    if any(map(_is_issued, cards(text))):
        return True
    typed = text.replace("\u2019", "'").replace("\u00f1", "n")
    if any(_is_password(found, typed) for found in _of("password").finditer(typed)):
        return True
    if any(_is_free(found, typed) for found in _of("pin").finditer(typed)):
        return True
    if any(_is_mixed(found["value"]) for found in _of("other").finditer(typed)):
        return True
    return any(map(_names_drawn, _ENDS.split(typed)))


def without_secrets(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Those that tell no secret. A name with a colon and the value in the next line are two."""
    told = set(_telling(sentences))
    return [one for number, one in enumerate(sentences) if number not in told]


def _telling(sentences: Sequence[Sentence]) -> Iterator[int]:
    for number, one in enumerate(sentences):
        if tells_secret(one.text) or tells_secret(one.low):
            yield number
    for number, (one, after) in enumerate(pairwise(sentences)):
        if one.text.endswith((":", "=")) and tells_secret(f"{one.text[-100:]}\n{after.text}"):
            yield from (number, number + 1)


@cache
def _of(kind: str) -> re.Pattern[str]:
    cased = kind in {"key", "marked"}
    lines = read_cues("palaver.digest.state.cues", "confided")[kind]
    return re.compile("|".join(lines), 0 if cased else re.IGNORECASE)


def _is_password(found: re.Match[str], text: str) -> bool:
    """Whether a password is told: anything after a colon; after "is" what is no plain word, or
    one that nothing follows."""
    value = found["value"].strip(_QUOTES)
    if len(value) < _LEAST or not _is_free(found, text):
        return False
    if found["sign"] or _of("marked").search(value):
        return True
    if _of("plain").match(text, found.start("value")):
        return False
    return found["value"][-1] in _QUOTES or bool(_of("after").match(text, found.end()))


def _is_free(found: re.Match[str], text: str) -> bool:
    """Whether what is told is none of the words that only speak of it."""
    return not _of("no_value").match(text, found.start("value"))


def _is_mixed(value: str) -> bool:
    value = value.strip(_QUOTES)
    return len(value) >= _LEAST_MIXED and bool(_of("mixed").search(value))


def _is_issued(card: str) -> bool:
    return bool(_ISSUED.match(card)) and sum(map(str.isdigit, card)) >= _SHORTEST_CARD


def _names_drawn(sentence: str) -> bool:
    """Whether a secret is named beside what is drawn by lot; the hash of a commit has one case."""
    if not _of("named").search(sentence):
        return False
    return any(
        any(map(str.islower, run)) and any(map(str.isupper, run)) and not _DATED.match(run)
        for run in drawn(sentence)
    )
