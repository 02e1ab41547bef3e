"""What goes into the conversation room, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from palaver.errors import BadValue
from palaver.index.records import ConversationMeta, Json, Message, Record, Source
from palaver.ledger.lines import ROLES
from palaver.typed import complaint

MAX_NAME = 255
R = TypeVar("R", bound=Record)

Name = Annotated[str, Field(max_length=MAX_NAME)]
"""A word or a few, such as the name of a model."""


class Input(Record):
    """Something a caller gives: nothing is guessed, and unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class NewMessage(Input):
    """A message to append; what is left out stays empty or is stamped."""

    role: Annotated[str, Field(json_schema_extra={"enum": list(ROLES)})]
    """user, assistant, system or tool."""
    content: str
    timestamp: str | datetime | None = None
    """When it was said; now, unless history is brought in."""
    sender: Name | None = None
    key: str | None = None
    """Makes a retry harmless: the same key and message give the first result again."""
    debounced: bool = False
    """Joins the turn before it while that has no reply."""
    parts: list[Json] | None = None
    model: Name | None = None
    thinking_text: str | None = None
    usage: Json | None = None
    cost: float | None = None
    tool_calls: list[Json] | None = None
    suggested_values: list[Any] | None = None
    suggested_actions: list[Any] | None = None
    custom_payload: Any = None
    intent: Name | None = None
    action_name: Name | None = None
    job_refs: list[Any] | None = None
    sources: list[Source] | None = None
    reply_to: str | None = None
    lang: Name | None = None


class Change(Input):
    """What to change about a conversation; fields that are not given stay as they are."""

    title: str | None = None
    archived: bool | None = None
    metadata: Json | None = None
    """Takes the place of the old metadata."""
    model: Name | None = None
    """None, when given, returns to the default."""
    pinned: bool | None = None
    """Only for conversations of a channel."""


class Choices(Input):
    """What a user chooses for themselves; fields that are not given stay as they are."""

    timezone: Name | None = None
    """The name of a time zone, such as Europe/Berlin. None, when given, returns to the default."""
    model: Annotated[Name, Field(json_schema_extra={"minLength": 1})] | None = None
    """The model that answers where a conversation has none of its own. None, when given, returns
    to the default."""


class Profile(Record):
    """Who a user is, and what holds for them."""

    user: str
    timezone: str
    """In which days begin, and in which times are told."""
    model: str
    """The model that answers where a conversation has none of its own."""
    chosen: list[str]
    """What of this the user has chosen; the settings decide the rest."""


class ConversationPage(Record):
    """Some conversations, newest first."""

    conversations: list[ConversationMeta]
    next_cursor: str | None = None


class Reply(Record):
    """An answer, and where it stands."""

    conversation_id: str
    turn_number: int | None
    """None when a command was answered, which is no turn."""
    reply: Message
    new_conversation_id: str | None = None
    """The conversation that `/new` has begun."""


class DependentRef(Record):
    """Something outside the erased messages that stood on them, and goes with them."""

    conversation_id: str
    message_id: str | None
    """None for an event, such as a title made from the words."""


class Receipt(Record):
    """What an erasure takes away, or has taken away."""

    preview: bool
    """Whether nothing has been erased yet."""
    conversation_id: str
    messages: int
    """How many messages of the conversation go."""
    dependents: list[DependentRef]
    rows: int
    """How many rows of the index go."""
    full_text: int
    """How many messages can no longer be found by search."""
    pieces: int
    """How many pieces of text can no longer be found, by word or by meaning."""
    erased: list[str]
    """The same in sentences, one for each kind of thing."""
    remains: list[str]
    """What is out of Palaver's reach, and when it goes, in sentences."""


def checked(kind: type[R], values: Mapping[str, object]) -> R:
    """The record made of `values`, under either spelling of their names. Raises BadValue."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(to_camel(str(part)) for part in first["loc"]) or "The value"
        if first["type"] == "extra_forbidden":
            raise BadValue(
                f"{name} is not a field of {_spoken(kind)}.",
                remedy=f"The fields are {', '.join(_fields(kind))}.",
            ) from None
        raise BadValue(complaint(error)) from None


def _spoken(kind: type[Record]) -> str:
    return "a message" if kind is NewMessage else "a conversation"


def _fields(kind: type[Record]) -> list[str]:
    return [to_camel(name) for name in kind.model_fields]
