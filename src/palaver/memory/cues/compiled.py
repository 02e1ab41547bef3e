"""Cues are kept in a file for each language, in the form of `palaver.digest.state.cues`.

Most sections hold one way to say it a line. Lines of `frames`, `habits`, `standing`, `plain`
and `loose` begin with the type, the slot, the category and the confidence of what is said so (`-`
for none):

    fact home home 0.9 lives? in (?P<v>.+)

`v` is the value of the slot; `{x}` in a slot is what the group `x` holds, `diet=vegan` names the
value itself, and `>home` says that the slot is empty from then on. A group `n` is a name: it has a
capital. `0.9!` may tell of a day: it lasts all the same. A line of `ask` is a slot, a category,
what an answer stands for, ` :: ` and a question; one of `alias`, `categories` and `written_out`
has ` = ` between its two parts.

`sensitive.txt` and `pasted.txt` hold one pattern a section, for all languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache, lru_cache
from typing import get_args

from palaver.digest.state.cues import LANGUAGES, one_of, read_cues
from palaver.memory.cues.kinds import Cues, Frame, Patterns, Question
from palaver.memory.port import MemoryType

_PACKAGE = "palaver.memory.cues"
_TYPES: Mapping[str, MemoryType] = {one: one for one in get_args(MemoryType)}


def cues_of(*spoken: str) -> Cues:
    """What to look for in a text of some languages; English is looked for as well."""
    listed = [code for code in spoken if code in LANGUAGES and code != "en"]
    return _compiled((*listed, "en"))


@cache
def pattern_of(name: str, kind: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a section of a file that is for all languages."""
    return re.compile("|".join(read_cues(_PACKAGE, name)[kind]), flags)


@lru_cache(maxsize=64)
def _compiled(codes: tuple[str, ...]) -> Cues:
    lines = _Lines([read_cues(_PACKAGE, code) for code in codes])
    return Cues(
        *(one_of(lines.of(kind.name)) for kind in fields(Patterns)),
        own=[re.compile(one) for one in lines.of("own")],
        whose=[re.compile(rf"\b{one.lstrip('^')}") for one in lines.of("own")],
        inverted=[re.compile(one) for one in lines.of("inverted")],
        remember=[re.compile(one) for one in lines.of("remember")],
        written_out=tuple(_pair(one) for one in lines.of("written_out")),
        alias=[_pair(one) for one in lines.of("alias")],
        categories=[_named(one) for one in lines.of("categories")],
        standing=[_frame(one) for one in lines.of("standing")],
        plain=[_frame(one) for one in lines.of("plain")],
        frames=[_frame(one) for one in lines.of("frames")],
        loose=[_frame(one, loose=True) for one in lines.of("loose")],
        habits=[_frame(one, loose=True) for one in lines.of("habits")],
        ask=[_question(one) for one in lines.of("ask")],
        alone=[_compiled((code,)) for code in codes] if len(codes) > 1 else [],
    )


class _Lines:
    """The lines of some languages, by their sections."""

    def __init__(self, listed: Sequence[Mapping[str, list[str]]]) -> None:
        self._listed = listed

    def of(self, kind: str) -> list[str]:
        return [line for cues in self._listed for line in cues.get(kind, [])]


def _frame(line: str, *, loose: bool = False) -> Frame:
    kind, slot, category, sure, pattern = line.split(" ", 4)
    slot, _, value = slot.partition("=")
    return Frame(
        type=_TYPES[kind],
        slot=slot.lstrip(">").replace("-", ""),
        value=value,
        ends=slot.startswith(">"),
        category=category.replace("-", ""),
        sure=float(sure.rstrip("!")),
        dated=sure.endswith("!"),
        loose=loose,
        pattern=re.compile(pattern),
    )


def _question(line: str) -> Question:
    head, _, pattern = line.partition(" :: ")
    slot, category, answer = head.split(" ", 2)
    return Question(slot.replace("-", ""), category, answer, re.compile(pattern))


def _pair(line: str) -> tuple[re.Pattern[str], str]:
    short, _, full = line.partition(" = ")
    return re.compile(short), full.replace("_", " ")


def _named(line: str) -> tuple[re.Pattern[str], str]:
    name, _, pattern = line.partition(" = ")
    return re.compile(pattern), name
