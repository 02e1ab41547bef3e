"""LongMemEval: questions about long histories, in the shape in which that data set is published.

A record has a question, its date, and a history of dated conversations; which of them hold the
answer is known, and so is each message that does. The data is never part of Palaver.
"""

from __future__ import annotations

import lzma
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from palaver.errors import BadValue

_FORMAT = "%Y/%m/%d (%a) %H:%M"
_REMEDY = "Give a file of LongMemEval, such as longmemeval_s.json, as it was published."


def _moment(text: object) -> datetime:
    """A time as the data set writes it, such as 2023/05/20 (Sat) 02:21."""
    if not isinstance(text, str):
        raise ValueError("a date is text")
    return datetime.strptime(text, _FORMAT).replace(tzinfo=UTC)


Moment = Annotated[datetime, BeforeValidator(_moment)]


class Said(BaseModel):
    """A message of a history."""

    model_config = ConfigDict(strict=True, frozen=True)

    role: str
    content: str
    has_answer: bool | None = False


class Question(BaseModel):
    """A question, and the history in which its answer stands."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: str = Field(alias="question_id")
    type: str = Field(alias="question_type")
    text: str = Field(alias="question")
    date: Moment = Field(alias="question_date")
    answers: list[str] = Field(alias="answer_session_ids")
    dates: list[Moment] = Field(alias="haystack_dates")
    ids: list[str] = Field(alias="haystack_session_ids")
    history: list[list[Said]] = Field(alias="haystack_sessions")


def read_questions(path: Path, limit: int | None = None) -> list[Question]:
    """The questions of a `.json` or `.json.xz` file, at most `limit`. Raises BadValue."""
    records = _parsed(path)
    if not isinstance(records, list) or not records:
        raise BadValue(f"{path} holds no list of questions.", remedy=_REMEDY)
    try:
        questions = TypeAdapter(list[Question]).validate_python(records[:limit])
    except ValidationError as error:
        number, *place = error.errors(include_input=False, include_url=False)[0]["loc"]
        field = ".".join(str(part) for part in place) or "the record"
        raise BadValue(
            f"Question {int(number) + 1} of {path} is not valid: {field}.", remedy=_REMEDY
        ) from None
    for question in questions:
        if not len(question.dates) == len(question.ids) == len(question.history):
            raise BadValue(
                f"Question {question.id[:80]!r} of {path} has a history without its dates.",
                remedy=_REMEDY,
            )
    return questions


def _parsed(path: Path) -> Any:
    try:
        packed = path.read_bytes()
        return orjson.loads(lzma.decompress(packed) if path.suffix == ".xz" else packed)
    except OSError as error:
        reason = (error.strerror or "it failed").lower()
        raise BadValue(f"{path} cannot be read: {reason}.", remedy=_REMEDY) from None
    except lzma.LZMAError:
        raise BadValue(f"{path} is not an xz file, or is cut short.", remedy=_REMEDY) from None
    except orjson.JSONDecodeError:
        raise BadValue(f"{path} is not JSON.", remedy=_REMEDY) from None
