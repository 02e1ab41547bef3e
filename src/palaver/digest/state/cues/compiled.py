"""Cues are kept in a file for each language, `en.txt` and so on, as regular expressions.

A section is a kind of cue, each line of it one way to say it, over text without case and
diacritics. An indented line continues the line before it. `<name>` stands for what `[let]` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from importlib.resources import files

LANGUAGES = frozenset({"de", "en", "es", "fr", "it", "nl", "pt"})
_CONTINUED = re.compile(r"\n[ ]+")
_NAMED = re.compile(r"(?<!\?P)<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Patterns:
    """One pattern for each kind of cue."""

    please: re.Pattern[str]
    request: re.Pattern[str]
    """How a request begins."""
    wish: re.Pattern[str]
    """Wants something: a request when nothing else is asked."""
    drafting: re.Pattern[str]
    """Asks for a text."""
    greeting: re.Pattern[str]
    rhetorical: re.Pattern[str]
    self_answer: re.Pattern[str]
    """How the answer to one's own question begins."""
    another: re.Pattern[str]
    """Where a second question or request begins in one sentence."""
    hypothetical: re.Pattern[str]
    reminder: re.Pattern[str]
    notify: re.Pattern[str]
    task: re.Pattern[str]
    """Something left undone."""
    duty: re.Pattern[str]
    """Something that has to be done: left undone only with a deadline."""
    deadline: re.Pattern[str]
    errand: re.Pattern[str]
    """Something that the user alone has to do: left undone even with no date."""
    put_off: re.Pattern[str]
    telling: re.Pattern[str]
    """What makes of a promise one to say something."""
    will: re.Pattern[str]
    """Says that the speaker will do something."""
    we_will: re.Pattern[str]
    idle_will: re.Pattern[str]
    """A will that promises nothing."""
    user_mark: re.Pattern[str]
    """What makes a promise of the user's will."""
    defer: re.Pattern[str]
    """What makes a promise of the assistant's will."""
    busy: re.Pattern[str]
    """Says that the speaker is at it."""
    returns: re.Pattern[str]
    """Says that the speaker will come back with it: a promise whatever else is said."""
    reminds: re.Pattern[str]
    """A promise to remind of something that is open already."""
    check: re.Pattern[str]
    """What makes a promise of it when nothing follows."""
    agreed: re.Pattern[str]
    """Says yes to a request, and nothing else."""
    non_answer: re.Pattern[str]
    offer: re.Pattern[str]
    suggestion: re.Pattern[str]
    courtesy: re.Pattern[str]
    """A question that only keeps the conversation going."""
    you: re.Pattern[str]
    """Speaks to the one who is asked."""
    need: re.Pattern[str]
    """Says that something is needed first."""
    choice: re.Pattern[str]
    """Asks what the assistant is to do, however much was said before."""
    aside: re.Pattern[str]
    """Turns to something else."""
    unready: re.Pattern[str]
    """Cannot answer yet."""
    settles: re.Pattern[str]
    """Answers any question."""
    counts: re.Pattern[str]
    """A question for a number or a time."""
    number: re.Pattern[str]
    yes_no: re.Pattern[str]
    affirms: re.Pattern[str]
    done: re.Pattern[str]
    learnt: re.Pattern[str]
    """Says what was found out."""
    perfect: re.Pattern[str]
    delivered: re.Pattern[str]
    negation: re.Pattern[str]
    future: re.Pattern[str]
    withdrawn: re.Pattern[str]
    decided: re.Pattern[str]
    trouble: re.Pattern[str]
    """Tells of something that does not work: help is wanted."""
    habit: re.Pattern[str]
    goal: re.Pattern[str]
    """Says what the speaker wants to reach."""


def patterns(*spoken: str) -> Patterns:
    """What to look for in a message of the languages that are `spoken`, and in English."""
    return _compiled(tuple(sorted({"en", *spoken} & LANGUAGES)))


def cues(code: str) -> Mapping[str, list[str]]:
    """The cues of one language by their kinds."""
    return read_cues("palaver.digest.state.cues", code)


@cache
def read_cues(package: str, code: str) -> Mapping[str, list[str]]:
    """The cues that a file of another package has, in the same form."""
    text = (files(package) / f"{code}.txt").read_text(encoding="utf-8")
    parts = re.split(r"^\[(\w+)\]$", _CONTINUED.sub("", text), flags=re.MULTILINE)
    listed = {kind: body.split("\n") for kind, body in zip(parts[1::2], parts[2::2], strict=True)}
    named = dict(_defined(listed.pop("let", [])))
    return {
        kind: [_NAMED.sub(lambda found: named[found[1]], line) for line in lines if line]
        for kind, lines in listed.items()
    }


def _defined(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The names that stand for parts of cues; each may use those before it."""
    named: dict[str, str] = {}
    for line in filter(None, lines):
        name, _, meaning = line.partition(" = ")
        named[name] = _NAMED.sub(lambda found: named[found[1]], meaning)
        yield name, named[name]


@lru_cache(maxsize=64)
def _compiled(codes: tuple[str, ...]) -> Patterns:
    kinds = [kind.name for kind in fields(Patterns)]
    return Patterns(
        *(one_of([one for code in codes for one in cues(code).get(kind, [])]) for kind in kinds)
    )


def one_of(found: list[str]) -> re.Pattern[str]:
    """A pattern of all the cues of one kind; of none, a pattern that is never found.

    No cue begins inside a word: it is not even looked for there, which saves most of the time.
    """
    every = "|".join(found) or "(?!)"
    return re.compile(every if every.startswith("^") else rf"(?!\B\w)(?:{every})")
