"""Slots: what there is one of at a time, such as a home, an employer, a deadline.

A memory that somebody wrote by hand has no slot: it is read out of the words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from palaver.digest.state.content import content, plain
from palaver.memory.cues import Cues, cues_of, tongues
from palaver.memory.frames import Said, canonical, read
from palaver.memory.offline.clauses import Stretch, clauses, sentences, without_lead
from palaver.memory.offline.levels import level
from palaver.text import words

_OWNER = re.compile(
    r"^(?:the )?(?:user|owner|account holder)(?:'s)? (?:also |now |currently |still )*(?=\w)", re.I
)
_MY = re.compile(r"(?:my|our) ")
_WORD = re.compile(r"\w{2,}")
_MINE = re.compile(r"^(?:the )?(?:user|owner)'s (?=\w)", re.I)


@dataclass(frozen=True, slots=True)
class Placed:
    """What a text says of a slot."""

    slot: str
    value: frozenset[str]
    """The telling words of what it says there is."""
    ends: bool
    """Whether there is none any more."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text says, as far as it can be told without understanding it."""

    low: str
    cues: Cues
    terms: frozenset[str]
    who: frozenset[str]
    """Of whom it speaks, besides the owner."""
    names: frozenset[str]
    """What those are called."""
    about: str | None
    """Whom it is about: "" is the owner; None if that cannot be told."""
    places: tuple[Placed, ...]


@lru_cache(maxsize=1 << 12)
def meaning(text: str) -> Meaning:
    """What a text says."""
    text = _MINE.sub("My ", text)
    text = _OWNER.sub("I ", text)
    spoken = tongues(words(text))
    cues = cues_of(*spoken)
    said = [one for clause in _clauses(text, cues) if (one := _said(text, clause, cues))]
    return Meaning(
        plain(text),
        cues,
        content(text, spoken[0]),
        _people(text, cues),
        frozenset(one.name for one in said if one.name),
        _about(level(text), cues),
        tuple(place for one in said if (place := _placed(one, spoken[0]))),
    )


def slot_of(text: str) -> str | None:
    """The slot that a text fills, or None."""
    return next((one.slot for one in meaning(text).places if not one.ends), None)


def ends_of(text: str) -> str | None:
    """The slot that is empty by what a text says, or None."""
    return next((one.slot for one in meaning(text).places if one.ends), None)


def may_end(said: str, known: str) -> bool:
    """Whether what was `said` of the end of something may mean what is `known`: it names nothing,
    or something that stands there."""
    _, *others = _WORD.findall(said) or [""]
    named = [one for one in others if one[0].isupper()]
    return not named or any(one in known for one in named)


def _people(text: str, cues: Cues) -> frozenset[str]:
    low = level(text)
    found = (one for pattern in cues.whose for one in pattern.finditer(low))
    people = (one["rel"] for one in found if not cues.group.match(one["rel"]))
    return frozenset(canonical(one, cues) for one in people)


def _about(low: str, cues: Cues) -> str | None:
    whose = next((found for one in cues.own if (found := one.match(low))), None)
    if whose:
        return None if cues.group.match(whose["rel"]) else canonical(whose["rel"], cues)
    return "" if cues.self.match(low) or _MY.match(low) else None


def _clauses(text: str, cues: Cues) -> list[Stretch]:
    return [
        without_lead(clause, cues)
        for sentence in sentences(text)
        for clause in clauses(sentence, cues)
    ]


def _said(text: str, clause: Stretch, cues: Cues) -> Said | None:
    return read(text[clause.start : clause.end], cues, bare=True)


def _placed(said: Said, language: str) -> Placed | None:
    slot = said.slot or said.ends
    if not slot:
        return None
    value = content(said.value.partition(",")[0], language)
    return Placed(slot, value, ends=said.ends is not None)
