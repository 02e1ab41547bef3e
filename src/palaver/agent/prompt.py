"""The system prompt: who the assistant is, the rules it keeps, and which tool to use when.

Within a day it is the same to the byte, for the same tools: providers keep what they have read
before, and read it again for less. What changes from day to day stands last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Protocol

from palaver.times import Clock, Zone

_COMMENT = re.compile(r"^#.*\n", re.MULTILINE)
_HEADING = re.compile(r"^\[([\w ]+)\]$", re.MULTILINE)


class Prompt(Protocol):
    """Whoever says what a model is told before anything else."""

    def text(self, tools: Iterable[str] = ()) -> str:
        """For a model that has these tools."""
        ...


class SystemPrompt:
    """What a model is told before anything else."""

    def __init__(self, *, name: str, zone: Zone, clock: Clock, persona: str | None = None) -> None:
        """`persona` takes the place of the words that say who the assistant is; the rules stay."""
        self._name = name
        self._zone = zone
        self._clock = clock
        self._persona = persona

    def text(self, tools: Iterable[str] = ()) -> str:
        """The prompt for a model that has these tools."""
        parts, there = _parts(), list(tools)
        persona = self._persona or _filled(parts["persona"], name=self._name)
        policy = _policy(parts, there)
        told = [persona.strip(), parts["rules"], *policy, self._today(parts["today"])]
        return "\n\n".join(told)

    def _today(self, template: str) -> str:
        zone = self._zone()
        now = self._clock().astimezone(zone)
        return _filled(template, date=f"{now:%A}, {now.day} {now:%B %Y}", zone=str(zone))


def _policy(parts: Mapping[str, str], tools: Sequence[str]) -> list[str]:
    """Which tool to use when, of those that are there."""
    if not tools:
        return [parts["no tools"]]
    hints = [parts[name] for name in tools if name in parts]
    return ["\n".join([parts["tools"], *hints])] if hints else []


def _filled(template: str, **values: str) -> str:
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


@cache
def _parts() -> dict[str, str]:
    """The sections of the file by their names."""
    text = (files("palaver.agent") / "prompt.txt").read_text(encoding="utf-8")
    named = _HEADING.split(_COMMENT.sub("", text))[1:]
    return {name: body.strip() for name, body in zip(named[::2], named[1::2], strict=True)}
