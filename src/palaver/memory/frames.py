"""Frames: what a clause says, of whom, and whether that lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaver.digest.state.content import plain
from palaver.memory.cues import Cues, Frame

_WORD = re.compile(r"[\w'-]+")
_ARTICLES = re.compile(r"^(?:(?:the|an?|my|our|this|to|on|in|at|as|for|one|by) )+")
_NAMES = 3
"""So many words of a name may stand between a subject and what is said of it."""
_LONGEST = 500
"""A longer clause says what it says at its beginning."""
_CLOSING = " .,;:!?-\u2013\u2014()\"'"


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says."""

    frame: Frame
    who: str
    """Of whom: "" of the owner, or what they are to the owner."""
    name: str
    value: str
    slot: str | None
    ends: str | None


class _Subject(NamedTuple):
    """Whom a clause is about, and what it says of them."""

    rest: str
    who: str = ""
    name: str = ""
    elided: bool = False
    """Whether it was left out: then no name follows it."""


def read(clause: str, cues: Cues, *, bare: bool = False) -> Said | None:
    """What a clause says that lasts, or None. One that is `bare` needs no subject."""
    low = written_out(clause[:_LONGEST], cues)
    capital = _capitals(clause)
    for frames in (cues.standing, cues.plain):
        if said := _matched(_Subject(low), frames, cues, capital):
            return said
    subjects = [
        (spoken, one)
        for spoken in cues.alone or (cues,)
        for one in _subjects(low, spoken, capital, bare=bare)
    ]
    for spoken, subject in subjects:
        if said := _matched(subject, spoken.frames, cues, capital):
            return said
    if said := _matched(_Subject(low), cues.loose, cues, capital):
        return said
    for spoken, subject in subjects:
        known = subject.rest.endswith(low) or subject.rest.partition(" ")[0] in capital
        if not known and (said := _matched(subject, spoken.habits, cues, capital)):
            return said
    return None


def written_out(clause: str, cues: Cues) -> str:
    """A clause as frames are looked for in it."""
    return _written_out(clause, cues.written_out)


@lru_cache(maxsize=64)
def _written_out(clause: str, forms: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    low = plain(clause)
    for short, full in forms:
        low = short.sub(full, low)
    return low.strip(_CLOSING)


def _subjects(low: str, cues: Cues, capital: frozenset[str], *, bare: bool) -> Iterator[_Subject]:
    """Whom it may be about: who that is, their name, and what is said of them."""
    yield from _at_start(low, cues, capital)
    if bare or cues.elided.match(low):
        yield _Subject(low)
        yield _Subject(f"am {low}", elided=True)
    if turned := _first(cues.inverted, low):
        yield _Subject(f"{turned['verb']} {low[turned.end() :].lstrip()}")
    if (lead := cues.adverbial.match(low)) and lead.end() < len(low):
        yield from _at_start(low[lead.end() :], cues, capital)


def _at_start(low: str, cues: Cues, capital: frozenset[str]) -> Iterator[_Subject]:
    if found := cues.self.match(low):
        yield _Subject(_bare(low[found.end() :], cues))
        return
    if not (found := _first(cues.own, low)):
        return
    who, rest = found["rel"], _bare(low[found.end() :], cues)
    yield _Subject(rest, who)
    words = rest.split(" ")
    for count in range(1, min(_NAMES, len(words) - 1) + 1):
        name = " ".join(words[:count])
        if words[count - 1].strip(_CLOSING) not in capital:
            return
        yield _Subject(_bare(" ".join(words[count:]), cues), who, name.strip(_CLOSING))


def _bare(said: str, cues: Cues) -> str:
    """What is said of a subject, without the words that only colour it."""
    return cues.adverb.sub("", said.lstrip(" ,"))


def _first(patterns: Sequence[re.Pattern[str]], low: str) -> re.Match[str] | None:
    return next((found for one in patterns if (found := one.match(low))), None)


def _capitals(clause: str) -> frozenset[str]:
    """The words of a clause that begin with a capital, as they are compared."""
    return frozenset(
        plain(word).removesuffix("'s") for word in _WORD.findall(clause) if word[0].isupper()
    )


def _matched(
    subject: _Subject, frames: Sequence[Frame], cues: Cues, capital: frozenset[str]
) -> Said | None:
    for frame in frames:
        if not (found := frame.pattern.match(subject.rest)):
            continue
        groups = {key: (value or "").strip(_CLOSING) for key, value in found.groupdict().items()}
        if "n" in groups and not _is_name(groups["n"], subject, capital):
            continue
        value = frame.value or f"{groups.get('n', '')} {groups.get('v', '')}".strip()
        slot = _slot(frame, groups, subject.who, cues)
        ends = slot if frame.ends else None
        return Said(frame, subject.who, subject.name, value, slot=None if ends else slot, ends=ends)
    return None


def _is_name(found: str, subject: _Subject, capital: frozenset[str]) -> bool:
    return not subject.elided and bool(capital.intersection(_WORD.findall(found)))


def _slot(frame: Frame, groups: dict[str, str], who: str, cues: Cues) -> str | None:
    """The slot of a frame: `home` of the owner, `home:sister` of a sister. Who there is one of is
    a slot of their own; of others each is."""
    if not frame.slot:
        return None
    if frame.slot.startswith("{x}:") and cues.unique.match(groups.get("x", "")):
        return canonical(groups["x"], cues)
    slot = frame.slot
    for key in ("x", "v", "n"):
        named = groups.get(key) or (groups.get("y", "") if key == "x" else "")
        slot = slot.replace(f"{{{key}}}", _ARTICLES.sub("", named))
    slot = slot.strip(": ")
    return f"{slot}:{canonical(who, cues)}" if who else slot


def canonical(who: str, cues: Cues) -> str:
    """The word that stands for somebody, whichever was used."""
    return next((one for words, one in cues.alias if words.match(who)), who)
