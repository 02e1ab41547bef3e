"""Plans: how an answer is found, as a routine that calls tools and is given their results."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from palaver.index.records import Json, Source


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to be used."""

    name: str
    input: Json


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer, and what it stands on."""

    text: str
    sources: tuple[Source, ...] = ()


T = TypeVar("T")
Steps = Generator[Sequence[Call], Sequence[Json], T]
"""Gives calls, is sent what each of them gave (nothing, of what is not there any more), and comes
to something."""
Plan = Steps[Spoken]
"""Comes to an answer."""


def call(tool: str, **given: Any) -> Call:
    return Call(tool, given)


def just(text: str) -> Plan:
    """An answer for which nothing has to be looked up."""
    yield from ()
    return Spoken(text)
