"""Shapes: what requests carry.

A field that is not here is refused, so that a typing error does not pass unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from palaver.accounts import DEFAULT_SCOPES, SCOPES
from palaver.conversation.conversations import MAX_TITLE
from palaver.conversation.records import Change, Choices, Name, NewMessage
from palaver.conversation.stored import MAX_KEY
from palaver.conversation.streams import CHANNEL
from palaver.index.records import Json, Moment, Source
from palaver.ledger.strict import check_text
from palaver.server.doors import Named

Text = Annotated[str, AfterValidator(check_text)]
"""A text from the address, where no strict JSON reader has checked it."""
Day = Annotated[Text, Field(json_schema_extra={"format": "date"})]
DayOrTime = Annotated[
    Text, Field(json_schema_extra={"anyOf": [{"format": "date"}, {"format": "date-time"}]})
]
Scope = Annotated[str, Field(json_schema_extra={"enum": list(SCOPES)})]
AS_SPELT = ConfigDict(populate_by_name=False, strict=True, extra="forbid")
"""For records of the library, which take Python's spelling too."""
ModelChoice = Annotated[Name, Field(min_length=1)]
Title = Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_TITLE})]
Said = Annotated[str, Field(json_schema_extra={"minLength": 1})]
"""What somebody says, with at least one visible character."""


class Body(BaseModel):
    """What a request carries: camelCase, nothing unknown, no guessing of types."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True, frozen=True
    )


def _like(pattern: str) -> Any:
    """How a text is described; whoever takes it says what is wrong with one."""
    return Field(json_schema_extra={"pattern": f"^{pattern}$"})


_CONVERSATION = "conv-[0-9A-Za-z]{1,64}"
_MESSAGE = "msg-[0-9A-Za-z]{1,64}"
NamedConversation = Annotated[Named, _like(_CONVERSATION)]
NamedPlace = Annotated[Named, _like("(conv|ext)-[0-9A-Za-z]{1,64}")]
NamedMessage = Annotated[Named, _like(_MESSAGE)]
NamedDay = Annotated[Named, _like("day-[0-9A-Za-z]{1,64}")]
NamedMemory = Annotated[Named, _like("mem-[0-9A-Za-z]{1,64}")]
"""Ids that stand elsewhere than in a path."""
MessageRef = Annotated[Text, _like(_MESSAGE)]
"""A message that another one only refers to."""
Channel = Annotated[Name, _like(CHANNEL)]
ChannelQuery = Annotated[Text, _like(CHANNEL)]
Key = Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_KEY})]


def only_null(*names: str) -> Callable[[Json], None]:
    """Describes that these fields may be null, and no others: there it would mean the same as
    leaving the field out, and is refused."""

    def describe(schema: Json) -> None:
        for name, field in schema["properties"].items():
            if name not in names:
                (kind,) = (one for one in field.pop("anyOf") if one != {"type": "null"})
                field.update(kind)
                field.pop("default", None)

    return describe


def check_given(body: BaseModel, *names: str) -> None:
    """Raises PydanticCustomError for a field that is null, and none of these."""
    for name in body.model_fields_set.difference(names):
        if getattr(body, name) is None:
            raise PydanticCustomError("null", "{name} cannot be null", {"name": name})


class SourceBody(Source):
    """What a message stands on."""

    model_config = AS_SPELT

    message_id: MessageRef


class NewMessageBody(NewMessage):
    """A message to keep; what is left out stays empty or is stamped."""

    model_config = AS_SPELT

    timestamp: Moment | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    """When it was said; now, unless history is brought in."""
    key: Key | None = None
    """Makes a retry harmless: the same key and message give the first result again."""
    reply_to: MessageRef | None = None
    """The id of the message that it answers."""
    sources: list[SourceBody] | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    """The messages that it stands on."""


class ChangeBody(Change):
    """What to change about a conversation; fields that are not given stay as they are."""

    model_config = AS_SPELT | ConfigDict(json_schema_extra=only_null("model"))

    title: Title | None = None
    """Its new title."""


class ChoicesBody(Choices):
    """What a user chooses for themselves; fields that are not given stay as they are."""

    model_config = AS_SPELT


class NewConversation(Body):
    """A conversation to start."""

    channel: Channel = "web"
    title: Title | None = None
    metadata: Json | None = None
    key: Key | None = Field(default=None, description="Makes a retry harmless.")


class MessageBody(Body):
    """A message that wants an answer, wherever it is said."""

    message: Said = Field(description="The plain text, at most 1 MiB in UTF-8.")
    model: ModelChoice | None = Field(
        default=None, description="Chosen for this conversation from now on."
    )
    context: Json | None = Field(
        default=None,
        description="What your program tells the model about the message, such as what is on the "
        "screen: at most 4 KiB. It is kept with the message, as `customPayload.context`. The "
        "offline assistant does not use it.",
    )
    key: Key | None = Field(default=None, description="Makes a retry harmless.")
    idempotency_key: Key | None = Field(default=None, description="Another name for `key`.")


class ChatMessage(MessageBody):
    """A message that wants an answer."""

    conversation_id: NamedConversation | None = Field(
        default=None, description="Where it belongs; without it, a new conversation begins."
    )
    channel: Channel = "web"


class ContinuousMessage(MessageBody):
    """A message in the continuous conversation, which wants an answer."""


class DaySummaryBody(Body):
    """What a day was, in the owner's own words."""

    summary_markdown: Said = Field(description="Markdown, at most 16 KiB in UTF-8.")


class ModelName(Body):
    """A model, by its name for `/model`."""

    name: ModelChoice


class EditedMessage(Body):
    """The last message of the user, said otherwise."""

    content: Said = Field(description="The plain text, at most 1 MiB in UTF-8.")
    key: Key | None = Field(default=None, description="Makes a retry harmless.")


class Regeneration(Body):
    """A reply that is wanted once more."""

    key: Key | None = Field(default=None, description="Makes a retry harmless.")


class LinkSignIn(Body):
    """The code of a sign-in link."""

    code: str


class PasswordSignIn(Body):
    """A name and its password."""

    name: str
    password: str = Field(json_schema_extra={"format": "password"})


def _way_to_sign_in(body: object) -> str:
    """What is wrong with a body is said of the way it comes closest to."""
    return "link" if isinstance(body, dict) and "code" in body else "password"


SignIn = Annotated[
    Annotated[LinkSignIn, Tag("link")] | Annotated[PasswordSignIn, Tag("password")],
    Discriminator(_way_to_sign_in),
]


class NewTokenBody(Body):
    """A token to create."""

    name: str = ""
    scopes: list[Scope] = Field(default=list(DEFAULT_SCOPES), json_schema_extra={"minItems": 1})
    expires: Moment | None = Field(default=None, description="When it ends; default never.")
