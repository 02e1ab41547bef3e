"""What the tools take and what they give: S1's shapes, and who said it where and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from palaver.index.records import Author, Json, Record
from palaver.recall.window import TimeWindow

MAX_LIMIT = 200
DATE = Field(max_length=64, examples=["2026-02-14", "2026-02-14T09:00:00Z"])

Role = Literal["user", "assistant"]


class Arguments(Record):
    """What a tool is called with: nothing is guessed, and unknown names are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=False)


class Answer(Record, ABC):
    """What a tool gives.

    Of what was recalled only ids and turns are kept with a reply: a copy would outlive its erasure.
    """

    @abstractmethod
    def kept(self) -> Json:
        """It without a word of what was said."""

    @abstractmethod
    def shown(self) -> list[str]:
        """The ids of the messages in it."""


class DateRange(Arguments):
    """Days of the user's time zone, or points in time."""

    from_: Annotated[str | None, DATE] = Field(
        default=None, alias="from", description="Not before this day or time, in ISO 8601."
    )
    to: Annotated[str | None, DATE] = Field(
        default=None, description="Not after this day or time, in ISO 8601; a day is included."
    )


class TurnRange(Arguments):
    """Turns of a conversation, both ends included."""

    from_: int = Field(alias="from", ge=0, description="The first turn.")
    to: int = Field(ge=0, description="The last turn.")


class SearchArguments(Arguments):
    """What `search_conversations` takes."""

    query: str = Field(description="What to look for, in plain words.")
    channel: str | None = Field(
        default=None, description="Only in this channel, such as web, whatsapp or email."
    )
    date_range: DateRange | None = Field(default=None, description="Only what was said then.")
    limit: int = Field(default=10, ge=1, le=MAX_LIMIT, description="At most so many results.")


class FetchArguments(Arguments):
    """What `fetch_context` takes."""

    conversation_id: str = Field(description="A conversationId that search_conversations gave.")
    turn_range: TurnRange | None = Field(
        default=None, description="Which turns; the last 10 when it is left out."
    )


class Found(Record):
    """A conversation in which something was found."""

    conversation_id: str
    conversation_name: str | None
    channel: str
    snippet: str = Field(description="The words that matched best: a quotation.")
    turn_range: str = Field(description="Where they stand, such as: turns 5-8.")
    matched_turns: list[int] = Field(description="The turns that match, best first.")
    message_id: str = Field(description="The message that matched best.")
    date: str = Field(description="When they were said, in the user's time zone.")
    score: float = Field(description="From 0 to 1.")
    topics: list[str]
    timestamp: str = Field(description="When they were said, in UTC.")
    role: Role | Literal["tool"] = Field(description="Who said them.")
    sender: str | None
    author: Author | None


class SearchAnswer(Answer):
    """What `search_conversations` gives."""

    results: list[Found] = Field(description="Best first.")
    total_matches: int = Field(
        description=(
            "How many messages hold any of the words; results found by meaning alone are counted "
            "too."
        )
    )
    time_window: TimeWindow | None = Field(
        description="The time the search kept to, in UTC: given, or named in the query."
    )
    empty_window: TimeWindow | None = Field(
        description=(
            "The time named in the query, in UTC, when nothing was found in it and all time was "
            "searched instead."
        )
    )

    def kept(self) -> Json:
        names = {"conversation_id", "message_id", "turn_range"}
        found = [one.model_dump(include=names, by_alias=True) for one in self.results]
        return {"results": found, "totalMatches": self.total_matches}

    def shown(self) -> list[str]:
        return [one.message_id for one in self.results]


class Turn(Record):
    """A message of a turn, word for word."""

    role: Role = Field(description="Who said it.")
    content: str = Field(description="What was said: a quotation.")
    timestamp: str = Field(description="When it was said, in UTC.")
    turn_number: int
    message_id: str
    sender: str | None
    author: Author | None
    model: str | None = Field(description="The model that said it, when it was one.")
    truncated: bool = Field(
        default=False, description="Whether the end of the content is left out."
    )


class FetchAnswer(Answer):
    """What `fetch_context` gives."""

    conversation_id: str
    conversation_name: str | None
    channel: str
    turns: list[Turn] = Field(description="Oldest first.")
    total_turns: int = Field(description="How many turns the whole conversation has.")
    truncated: bool = Field(default=False, description="Whether something did not fit.")
    omitted: TurnRange | None = Field(
        default=None, description="The turns that did not fit: fetch them with this turnRange."
    )

    def kept(self) -> Json:
        numbers = [one.turn_number for one in self.turns]
        span = {"from": numbers[0], "to": numbers[-1]} if numbers else None
        return {"conversationId": self.conversation_id, "turnRange": span}

    def shown(self) -> list[str]:
        return [one.message_id for one in self.turns]
