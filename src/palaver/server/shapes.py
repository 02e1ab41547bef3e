"""Shapes: what requests carry, and the few answers that are not records of the library.

A field that is not here is refused, so that a typing error does not pass unnoticed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from palaver.accounts import DEFAULT_SCOPES, SCOPES, Token
from palaver.agent.language import ModelInfo
from palaver.conversation.records import Change, Name, NewMessage
from palaver.conversation.stored import MAX_KEY
from palaver.conversation.streams import CHANNEL
from palaver.engines import StartReport
from palaver.index.records import ConversationMeta, Health, Json, Message, Record, Source
from palaver.jobs import Job
from palaver.ledger.strict import check_text
from palaver.server.doors import Named

Text = Annotated[str, AfterValidator(check_text)]
"""A text from the address, where no strict JSON reader has checked it."""


Scope = Annotated[str, Field(json_schema_extra={"enum": list(SCOPES)})]
_AS_SPELT = ConfigDict(populate_by_name=False, strict=True, extra="forbid")
"""For records of the library, which take Python's spelling too."""


class Body(BaseModel):
    """What a request carries: camelCase, nothing unknown, no guessing of types."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True, frozen=True
    )


Channel = Annotated[Name, Field(json_schema_extra={"pattern": f"^{CHANNEL}$"})]
Key = Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_KEY})]


class SourceBody(Source):
    """What a message stands on."""

    model_config = _AS_SPELT


class NewMessageBody(NewMessage):
    """A message to keep; what is left out stays empty or is stamped."""

    model_config = _AS_SPELT

    sources: list[SourceBody] | None = None  # pyright: ignore[reportIncompatibleVariableOverride]


class ChangeBody(Change):
    """What to change about a conversation; fields that are not given stay as they are."""

    model_config = _AS_SPELT


class NewConversation(Body):
    """A conversation to start."""

    channel: Channel = "web"
    title: str | None = None
    metadata: Json | None = None
    key: Key | None = Field(default=None, description="Makes a retry harmless.")


class ChatMessage(Body):
    """A message that wants an answer."""

    message: str = Field(description="The plain text, at most 1 MiB in UTF-8.")
    conversation_id: Named | None = Field(
        default=None, description="Where it belongs; without it, a new conversation begins."
    )
    channel: Channel = "web"
    model: Name | None = Field(
        default=None, description="Chosen for this conversation from now on."
    )
    context: Json | None = Field(
        default=None, description="For a connected model; the offline assistant does not use it."
    )
    key: Key | None = Field(default=None, description="Makes a retry harmless.")
    idempotency_key: Key | None = Field(default=None, description="Another name for `key`.")


class ModelName(Body):
    """A model, by its name for `/model`."""

    name: Name


class EditedMessage(Body):
    """The last message of the user, said otherwise."""

    content: str = Field(description="The plain text, at most 1 MiB in UTF-8.")
    key: Key | None = Field(default=None, description="Makes a retry harmless.")


class SignIn(Body):
    """The code of a sign-in link."""

    code: str


class NewTokenBody(Body):
    """A token to create."""

    name: str = ""
    scopes: list[Scope] = Field(default=list(DEFAULT_SCOPES))
    expires: str | None = Field(default=None, description="When it ends; default never.")


class ConversationView(Record):
    """A conversation with its last messages."""

    conversation: ConversationMeta
    messages: list[Message]
    has_more: bool
    """Whether there are earlier ones."""


class TokenView(Record):
    """A token as it is remembered; the secret is not."""

    id: str
    name: str
    scopes: list[str]
    created: str
    expires: str | None
    last_used: str | None
    revoked: str | None

    @classmethod
    def of(cls, token: Token) -> TokenView:
        return cls.model_validate(token, from_attributes=True)


class NewTokenView(TokenView):
    """A token with its secret, which is shown this once."""

    token: str


class JobList(Record):
    """What is still to be done in the background."""

    jobs: list[Job]


class ModelList(Record):
    """The models that can be chosen, and the name of the one that answers otherwise."""

    models: list[ModelInfo]
    usual: str


class TokenList(Record):
    tokens: list[TokenView]


class Me(Record):
    """Who is signed in, and what they may do."""

    user: str
    scopes: list[str]
    timezone: str
    assistant: str
    """The name the assistant goes by."""


class ServedHealth(Health):
    """How far the index can be trusted, and what was done at the start."""

    started: StartReport


class Stopped(Record):
    """Whether there was a reply to stop."""

    stopped: bool


class Alive(Record):
    """The process answers."""

    status: Literal["ok"] = "ok"
