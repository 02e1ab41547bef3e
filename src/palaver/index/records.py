"""The records the index answers with; the same shapes go out over REST and `--json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from palaver.settings import Mode, Tier

Json = dict[str, Any]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""A point in time, as `times.iso` writes it."""
Status = Literal["complete", "streaming", "interrupted", "failed", "superseded", "redacted"]


class Record(BaseModel):
    """camelCase outside, snake_case inside, never changed once made."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
    )

    def to_json(self) -> Json:
        return self.model_dump(mode="json", by_alias=True)


EVERY_DAY = "Continuous conversation"
"""What the continuous conversation is called."""


class ConversationMeta(Record):
    """A conversation, without its messages."""

    id: str
    channel: str = "web"
    mode: Literal["standard", "continuous"] = "standard"
    title: str | None = None
    topics: list[str] = []
    created: Moment
    updated: Moment
    """When something was last said; lists are ordered by it."""
    turn_count: int = 0
    participants: list[str] = []
    abbreviation: str | None = None
    manually_named: bool = False
    pinned: bool = False
    archived: bool = False
    model: str | None = None
    metadata: Json = {}
    channel_meta: Json = {}
    read_only: bool = False
    needs_abbreviation: bool = False
    """Whether something was said of which the abbreviation does not tell, or it only stands in for
    that of a model."""

    @property
    def has_company(self) -> bool:
        """Whether others than the owner read along: they are told of nothing else."""
        return self.channel_meta.get("audience") == "mixed"

    @property
    def name(self) -> str | None:
        """What it is called: the one that goes on from day to day has no title."""
        return EVERY_DAY if self.mode == "continuous" else self.title


class Author(Record):
    """Who said it, as stamped at receipt."""

    kind: Literal["owner", "assistant", "participant", "system"]
    id: str | None = None
    grade: str | None = None


class Source(Record):
    """What a derived sentence stands on."""

    message_id: str
    quote: str | None = None


DeliveryState = Literal["waiting", "sending", "sent", "delivered", "read", "failed"]


class DeliveryStatus(Record):
    """How far a message has come that is sent to a channel."""

    state: DeliveryState
    code: str | None = None
    """Why it could not be sent, if it could not, as a code, a sentence and a remedy."""
    message: str | None = None
    remedy: str | None = None
    after: Moment | None = None
    """When it is tried again, if it waits for that."""
    updated: Moment
    """Since when it is so."""


class Delivery(DeliveryStatus):
    """A line that is sent to a channel: an entry of the outbox."""

    message_id: str
    conversation_id: str
    """Its stream: a conversation, or an exchange with an outsider."""
    seq: int
    channel: str
    place: str
    """What it waits in line for: the id of the place; of what is sent to an outsider, the
    exchange."""
    part: int | None = None
    """The part that was begun and has not ended, if there is one, counted from 0."""
    parts: int = 0
    """How many parts were sent."""
    attempts: int = 0
    """How often the next part has failed since somebody asked for it."""

    def status(self) -> DeliveryStatus:
        """What whoever reads the message is told."""
        return DeliveryStatus(
            state=self.state,
            code=self.code,
            message=self.message,
            remedy=self.remedy,
            after=self.after,
            updated=self.updated,
        )


class Message(Record):
    """One message of a conversation."""

    id: str
    conversation_id: str
    seq: int
    role: Literal["user", "assistant", "system", "tool"]
    content: str
    parts: list[Json] | None = None
    timestamp: Moment
    turn_number: int
    channel: str | None = None
    sender: str | None = None
    author: Author | None = None
    model: str | None = None
    thinking_text: str | None = None
    usage: Json | None = None
    cost: float | None = None
    tool_calls: list[Json] | None = None
    suggested_values: list[Any] | None = None
    suggested_actions: list[Any] | None = None
    custom_payload: Any = None
    intent: str | None = None
    action_name: str | None = None
    job_refs: list[Any] | None = None
    sources: list[Source] = []
    key: str | None = None
    reply_to: str | None = None
    supersedes: str | None = None
    status: Status = "complete"
    delivery: DeliveryStatus | None = None
    """How far it has come, if it is sent to a channel."""

    @property
    def lasting_calls(self) -> list[Json]:
        """The calls of tools that tell something later on. Of what was recalled only ids are kept,
        which tell nobody anything: the reply has what was made of it."""
        return [call for call in self.tool_calls or () if not call.get("recalled")]


class SummarySource(Source):
    """A message that a summary stands on, and what it is quoted for."""

    turn: int = 0
    kind: str = ""
    by: str = ""
    point: int | None = None
    """Which line of the text stands on it, counted from 0; None where each source is a line."""


class StoredSummary(Record):
    """A part of a conversation in fewer words, as an event holds it."""

    seq: int
    """The line of the event."""
    kind: str
    text: str
    through: int
    """The last turn of which it tells."""
    made: str
    sources: list[SummarySource]
    by: str = ""
    """Who made it: `offline`, or the name of a model."""
    covers: int = -1
    """The last line of which it tells, if the event says so."""
    stands_in: bool = False
    """Whether it stands in for what a model failed to make."""
    by_hand: bool = False
    """Whether the owner has written some of it."""

    @property
    def message_ids(self) -> list[str]:
        """The messages that it stands on, each once."""
        return list(dict.fromkeys(source.message_id for source in self.sources))


MemoryType = Literal["fact", "preference", "entity", "project", "decision"]
MemoryState = Literal["kept", "waiting"]


class Memory(Record):
    """Something that was learned, as the last line about it says."""

    id: str
    type: MemoryType
    category: str | None = None
    content: str
    confidence: float = 1.0
    """How sure it is that this holds, from 0 to 1."""
    pinned: bool = False
    """Whether a model is always shown it."""
    archived: bool = False
    access_count: int = 0
    """How many replies were made with it."""
    last_accessed_at: Moment | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    quote: str | None = None
    """The words of that message it stands on."""
    valid_from: Moment | None = None
    """Since when it holds, as far as somebody said so."""
    superseded_by: str | None = None
    """The memory that has taken its place."""
    created: Moment
    updated: Moment
    state: MemoryState = "kept"
    """Whether it is kept, or waits for the owner's approval."""
    by: str = "user"
    """Who wrote it down: the owner (`user`), `offline`, or the name of a model or an agent."""
    edited: bool = False
    """Whether the owner has worded it by hand."""
    slot: str | None = Field(default=None, exclude=True)
    """What there is only one of at a time, if it is such a thing."""
    beside: list[str] = Field(default_factory=list[str])
    """Memories that say otherwise: the owner has said that it holds as well as these."""


Voice = Literal["outsider", "assistant", "owner"]
"""Who speaks in an exchange with an outsider."""


class Exchange(Record):
    """An exchange with somebody who is not the owner, without what was said, and without what holds
    for them."""

    id: str
    channel: str
    party: str
    """Who it is, as the channel spells it."""
    name: str | None = None
    """What they call themselves: shown as text, and never trusted."""
    created: Moment
    updated: Moment
    """When the last message was taken; lists are ordered by it."""
    message_count: int = 0
    last_text: str = ""
    """How the last message begins."""
    last_by: Literal["party", "assistant"] | None = None
    drafts: int = 0
    """How many replies wait for the owner's word."""
    escalated: bool = False
    """Whether there is something that the owner has to see, and has not seen."""
    acknowledged: bool = False
    """Whether they were told that something was received."""


class ExternalMeta(Exchange):
    """An exchange with what the owner has said of it; None where they have said nothing."""

    trust: Tier | None = None
    """How far they are trusted."""
    policy: Mode | None = None
    """What is done when they write."""
    scope: str | None = None
    """About what they may be answered."""


class ExternalMessage(Record):
    """A message of an exchange with somebody who is not the owner."""

    external_id: str
    seq: int
    id: str
    by: Voice
    taken: Moment
    """When the ledger took it; what the outsider says of the time is not asked."""
    sender: str | None
    """What they call themselves: shown as text, and never trusted."""
    claimed: bool
    """Whether it is not proven that it is theirs."""
    content: str


class MessagePage(Record):
    """Some messages of a conversation, oldest first."""

    messages: list[Message]
    has_more: bool
    """Whether there are more in the direction that was asked for."""


class Health(Record):
    """How far the index can be trusted."""

    status: Literal["ok", "rebuilding", "degraded"]
    detail: str
    """One sentence; with the remedy when the status is degraded."""
    done: int = 0
    total: int = 0
    """Progress of a rebuild, in bytes of the ledger."""
    lost: list[str] = []
    """Streams that are shorter than the index has seen, or gone without a record of deletion."""
