"""The answer of a model: the shape it is to have, and how it is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from palaver.digest.port import Want
from palaver.errors import InputError
from palaver.index.records import Json
from palaver.ledger.strict import loads

_TEXT: Json = {"type": "string"}
_NUMBERS: Json = {"type": "array", "items": {"type": "integer"}}

T = TypeVar("T", bound=BaseModel)


def shape(**properties: Json) -> Json:
    """The schema of an object in which everything is required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


POINTS: Json = {
    "type": "array",
    "items": shape(text=_TEXT, messages=_NUMBERS, quote=_TEXT),
}
"""Lines, each with what it stands on."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an answer is not taken."""

    reason: str
    """A sentence that holds no word anybody said: errors tell it."""
    detail: str = ""
    """What the model is told beside it."""


UNREADABLE = Fault("It is not one JSON object of the shape that was asked for.")


class Told(BaseModel):
    """A point as a model gives it."""

    text: str
    messages: list[int]
    quote: str | None = None


class Answer(BaseModel):
    """Everything that a model may be asked for."""

    points: list[Told] = []
    title: str = ""
    topics: list[str] = []
    messages: list[int] = []
    """What the title and the topics stand on."""


def schema_of(wanted: Collection[Want]) -> Json:
    """The shape of an answer that gives what is wanted. Everything in it is required: not every
    provider knows parts that may be missing."""
    points: Json = {"points": POINTS} if "abbreviation" in wanted else {}
    title: Json = {"title": _TEXT, "topics": {"type": "array", "items": _TEXT}}
    naming: Json = {**title, "messages": _NUMBERS} if "title" in wanted else {}
    return shape(**points, **naming)


def read(text: str, expected: type[T]) -> T | None:
    """The answer; None when it cannot be read. Words around the JSON do no harm."""
    for found in _candidates(text):
        try:
            return expected.model_validate(loads(found.encode("utf-8", "surrogatepass")))
        except (InputError, ValidationError):
            continue
    return None


def _candidates(text: str) -> Iterator[str]:
    yield text
    yield text[text.find("{") : text.rfind("}") + 1]
