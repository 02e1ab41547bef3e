"""Views: the few answers that are not records of the library."""

from __future__ import annotations

from typing import Literal

from palaver.accounts import Token
from palaver.agent.language import ModelInfo
from palaver.channels.connection import Connection
from palaver.channels.port import ChannelState, Tested, Webhook
from palaver.conversation.day_records import DayLabel
from palaver.conversation.records import Profile
from palaver.engines import StartReport
from palaver.index.records import ConversationMeta, Health, Memory, Message, Moment, Record
from palaver.jobs import Job
from palaver.memory.records import AuditFinding
from palaver.settings import Mode


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


class PolicyView(Record):
    """How outsiders are treated, unless something else is decided of somebody."""

    known: Mode
    """Those who are known."""
    untrusted: Mode
    """The others."""
    scope: str
    """What may be told to those who are known."""


class ChannelView(ChannelState):
    """A channel, and how it fares."""

    webhook: str | None
    """The path that its provider calls; null if it is not called."""
    role: Literal["dedicated", "personal"]
    """Whether the number or address is the agent's alone, or the owner's own."""
    policy: PolicyView | None
    """How outsiders are treated there; null for those whose channel it is not."""

    @classmethod
    def of(cls, state: ChannelState, by: Connection, user: str) -> ChannelView:
        """As `user` sees it."""
        calls, own = isinstance(by.channel, Webhook), by.settings.user == user
        return cls(
            **state.model_dump(),
            webhook=f"/channels/{by.name}" if calls else None,
            role=by.settings.role,
            policy=PolicyView(**by.settings.policy.model_dump()) if own else None,
        )


class ChannelList(Record):
    """The channels that somebody takes part in."""

    channels: list[ChannelView]


class ChannelTest(Record):
    """What came of trying a channel out."""

    name: str
    ok: bool
    message: str
    """As whom it is connected, or what is wrong, in one sentence."""
    remedy: str | None
    """What to do about it; null if nothing is to be done."""

    @classmethod
    def of(cls, name: str, tested: Tested) -> ChannelTest:
        return cls(name=name, ok=tested.ok, message=tested.message, remedy=tested.remedy)


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


class Mended(Record):
    """What was mended, of what an audit found."""

    changed: list[Memory]
    """The memories it was about that are still there, as they are now."""
    fixed: list[AuditFinding]
    """What was found, as it was before."""


class Wanted(Record):
    """What will be made in the background."""

    day: DayLabel
    """The day, as 2026-02-14."""


class Alive(Record):
    """The process answers."""

    status: Literal["ok"] = "ok"
