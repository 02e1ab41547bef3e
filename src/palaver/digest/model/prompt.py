"""The prompt: what a model is told, and what it is given to read.

The rules come first, the same to the byte for the same work; then the sheet; then, once more, what
is wanted, so that it is the last thing the model reads.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files

import orjson

from palaver.digest.model.answer import Fault, schema_of
from palaver.digest.model.sheet import Sheet
from palaver.digest.port import LEAST_TOKENS, LONG_SOURCE, MOST_TOKENS, Want
from palaver.index.records import Json
from palaver.text import quoted
from palaver.text.scripts import UNSPACED

END = "That is all of the record. Answer as you were told, in JSON."
"""What a model reads after what was said."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORDS, _CHARACTERS = (0.35, 0.75), (0.4, 3.0)
"""How many of them are a token, at least and at most: a text may be one long word."""
_BELOW, _ABOVE = 0.8, 1.2
"""Models count roughly: they are asked for something between the bounds."""
_LONGEST_ANSWER = 4000


def system(wanted: Collection[Want]) -> str:
    """The rules, for what is wanted."""
    named: dict[Want, str] = {"abbreviation": "points", "title": "title"}
    return ruled((_file(named[want]) for want in named if want in wanted), schema_of(wanted))


def ruled(parts: Iterable[str], schema: Json) -> str:
    """What holds for whatever is told of a conversation, then what is special."""
    return shaped([_file("prompt"), *parts], schema)


def shaped(parts: Iterable[str], schema: Json) -> str:
    """Rules, then the shape of the answer."""
    shape = orjson.dumps(schema).decode()
    told = f"Answer with one JSON object and nothing else. Its schema is:\n{shape}"
    return "\n\n".join([*parts, told])


def request(sheet: Sheet, wanted: Collection[Want]) -> str:
    """The conversation, and what is to be made of it."""
    size = f" The points have {_size(sheet)} in all." if "abbreviation" in wanted else ""
    return f"{sheet.text}\n\n{END}{size}"


def repair(asked: str, answer: str, faults: Sequence[Fault]) -> str:
    """The same once more, with what was wrong the first time."""
    listed = "\n".join(f"- {f'{fault.reason} {fault.detail}'.strip()}" for fault in faults)
    told = _file("repair").replace("{faults}", listed)
    return f"{asked}\n\n{told.replace('{answer}', quoted(answer[:_LONGEST_ANSWER]))}"


def _size(sheet: Sheet) -> str:
    """How long the points are to be, in words of this conversation, or in characters where it puts
    no spaces between words."""
    text = "\n".join(entry.text for entry in sheet.entries)
    tokens = max(sheet.count(text), 1)
    if len(_UNSPACED.findall(text)) > len(text) / 4:
        unit, share = "characters", _between(len(text) / tokens, _CHARACTERS)
    else:
        unit, share = "words", _between(len(text.split()) / tokens, _WORDS)
    most, least = int(MOST_TOKENS * share * _BELOW), int(LEAST_TOKENS * share * _ABOVE)
    return f"{least} to {most} {unit}" if sheet.tokens > LONG_SOURCE else f"at most {most} {unit}"


def _between(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _file(name: str) -> str:
    return written("palaver.digest.model", name)


@cache
def written(package: str, name: str) -> str:
    """A text for a model, as it is written beside the code."""
    return (files(package) / f"{name}.txt").read_text(encoding="utf-8").strip()
