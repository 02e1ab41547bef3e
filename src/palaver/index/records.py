"""The records the index answers with; the same shapes go out over REST and `--json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

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


class Author(Record):
    """Who said it, as stamped at receipt."""

    kind: Literal["owner", "assistant", "participant", "system"]
    id: str | None = None
    grade: str | None = None


class Source(Record):
    """What a derived sentence stands on."""

    message_id: str
    quote: str | None = None


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
