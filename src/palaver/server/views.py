"""Views: the few answers that are not records of the library."""

from __future__ import annotations

from typing import Literal

from palaver.accounts import Token
from palaver.agent.language import ModelInfo
from palaver.conversation.day_records import DayLabel
from palaver.conversation.records import Profile
from palaver.engines import StartReport
from palaver.index.records import ConversationMeta, Health, Message, Moment, Record
from palaver.jobs import Job


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
    created: Moment
    expires: Moment | None
    last_used: Moment | None
    revoked: Moment | None

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
    """Every token there was."""

    tokens: list[TokenView]


class Me(Profile):
    """Who is signed in, what holds for them, and what they may do."""

    name: str
    """What they sign in with."""
    scopes: list[str]
    assistant: str
    """The name the assistant goes by."""


class ServedHealth(Health):
    """How far the index can be trusted, and what was done at the start."""

    started: StartReport


class Stopped(Record):
    """Whether there was a reply to stop."""

    stopped: bool


class Wanted(Record):
    """What will be made in the background."""

    day: DayLabel
    """The day, as 2026-02-14."""


class Alive(Record):
    """The process answers."""

    status: Literal["ok"] = "ok"
