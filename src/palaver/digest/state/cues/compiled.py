"""The cues of some languages together, ready to be looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache

from palaver.digest.state.cues.english import ENGLISH
from palaver.digest.state.cues.languages import DUTCH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH
from palaver.digest.state.cues.words import Cues

_OF = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
}


@dataclass(frozen=True, slots=True)
class Patterns:
    """One pattern for each kind of cue; the names are those of `Cues`."""

    please: re.Pattern[str]
    request: re.Pattern[str]
    drafting: re.Pattern[str]
    greeting: re.Pattern[str]
    rhetorical: re.Pattern[str]
    self_answer: re.Pattern[str]
    hypothetical: re.Pattern[str]
    reminder: re.Pattern[str]
    notify: re.Pattern[str]
    task: re.Pattern[str]
    duty: re.Pattern[str]
    deadline: re.Pattern[str]
    errand: re.Pattern[str]
    put_off: re.Pattern[str]
    will: re.Pattern[str]
    we_will: re.Pattern[str]
    idle_will: re.Pattern[str]
    user_mark: re.Pattern[str]
    defer: re.Pattern[str]
    check: re.Pattern[str]
    agreed: re.Pattern[str]
    non_answer: re.Pattern[str]
    offer: re.Pattern[str]
    courtesy: re.Pattern[str]
    need: re.Pattern[str]
    choice: re.Pattern[str]
    aside: re.Pattern[str]
    unready: re.Pattern[str]
    settles: re.Pattern[str]
    counts: re.Pattern[str]
    number: re.Pattern[str]
    yes_no: re.Pattern[str]
    affirms: re.Pattern[str]
    done: re.Pattern[str]
    perfect: re.Pattern[str]
    delivered: re.Pattern[str]
    negation: re.Pattern[str]
    future: re.Pattern[str]
    withdrawn: re.Pattern[str]
    decided: re.Pattern[str]
    trouble: re.Pattern[str]
    habit: re.Pattern[str]


def patterns(*spoken: str) -> Patterns:
    """What to look for in a message of the languages that are `spoken`, and in English."""
    return _compiled(tuple(sorted({"en", *spoken} & _OF.keys())))


@lru_cache(maxsize=64)
def _compiled(codes: tuple[str, ...]) -> Patterns:
    return Patterns(*(_one([getattr(_OF[code], kind.name) for code in codes]) for kind in fields(Cues)))


def _one(cues: list[str]) -> re.Pattern[str]:
    """A pattern of all the cues of one kind; of none, a pattern that is never found.

    No cue begins inside a word: it is not even looked for there, which saves most of the time.
    """
    every = "|".join(filter(None, cues)) or "(?!)"
    return re.compile(every if every.startswith("^") else rf"(?!\B\w)(?:{every})")
