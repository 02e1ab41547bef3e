"""What is asked of memories, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from palaver.errors import BadValue
from palaver.index.records import Memory, MemoryType, Moment, Record
from palaver.memory.port import MAX_CATEGORY, MAX_CONTENT

Content = Annotated[str, Field(min_length=1, max_length=MAX_CONTENT, pattern=r"\S")]
Category = Annotated[str, Field(min_length=1, max_length=MAX_CATEGORY)]


class _Given(Record):
    model_config = ConfigDict(extra="forbid")


Given = TypeVar("Given", bound=_Given)


class NewMemory(_Given):
    """A memory that somebody adds."""

    content: Content
    type: MemoryType = "fact"
    category: Category | None = None
    pinned: bool = False
    valid_from: Moment | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    """The message it comes from."""
    quote: str | None = None
    """The words of that message it stands on."""


class MemoryChange(_Given):
    """What is changed in a memory; what is not given stays."""

    content: Content | None = None
    type: MemoryType | None = None
    category: Category | None = None
    pinned: bool | None = None
    archived: bool | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    valid_from: Moment | None = None


def given_as(kind: type[Given], values: Mapping[str, object]) -> Given:
    """The record made of `values`, under either spelling of their names. Raises BadValue."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(to_camel(str(part)) for part in first["loc"]) or "The memory"
        if name == "content" and first["type"] in ("string_pattern_mismatch", "string_too_short"):
            raise BadValue(
                "There is no word in that memory.", remedy="Write at least one."
            ) from None
        if first["type"] == "string_too_long":
            most, given = first.get("ctx", {})["max_length"], len(str(first["input"]))
            raise BadValue(
                f"{name}: at most {most:,} characters, and these are {given:,}.",
                remedy="Say it in fewer words.",
            ) from None
        raise BadValue(f"{name}: {first['msg']}.") from None


class MemoryPage(Record):
    """Some memories."""

    memories: list[Memory]
    next_cursor: str | None = None


class ForgetReceipt(Record):
    """What is forgotten, or would be."""

    preview: bool
    """Whether nothing has been forgotten yet."""
    memories: list[Memory]
    messages: int = 0
    """How many messages are erased with them."""
    erased: list[str]
    """The same in sentences."""
    restored: list[Memory] = Field(default_factory=list[Memory])
    """Memories that hold again, because what had taken their place goes."""
    remains: list[str]
    """What is out of Palaver's reach, and when it goes, in sentences."""


class Merged(Record):
    """Something that is known already."""

    content: str
    quote: str
    memory_id: str


class Replaced(Record):
    """A memory whose place another one takes."""

    memory_id: str
    by: str


class Skipped(Record):
    """Something that is not remembered, and why."""

    quote: str
    reason: str


class Extraction(Record):
    """What was found in a conversation, and what became of it."""

    by: str
    """`offline`, or the name of a model."""
    added: list[Memory] = Field(default_factory=list[Memory])
    waiting: list[Memory] = Field(default_factory=list[Memory])
    """Those that wait for approval."""
    merged: list[Merged] = Field(default_factory=list[Merged])
    superseded: list[Replaced] = Field(default_factory=list[Replaced])
    skipped: list[Skipped] = Field(default_factory=list[Skipped])

    def joined(self, later: Extraction) -> Extraction:
        """What came of both, one after the other."""
        return Extraction(
            by=later.by,
            added=[*self.added, *later.added],
            waiting=[*self.waiting, *later.waiting],
            merged=[*self.merged, *later.merged],
            superseded=[*self.superseded, *later.superseded],
            skipped=[*self.skipped, *later.skipped],
        )


class HistoryEntry(Record):
    """What was done to a memory."""

    at: Moment
    event: Literal["added", "edited", "superseded", "restored", "candidate"]
    by: str
    content: str


AuditKind = Literal["junk", "duplicate", "unsupported", "contradictory", "stale"]
AUDIT_KINDS: tuple[AuditKind, ...] = get_args(AuditKind)
AuditRemedy = Literal["archive", "merge", "forget", "supersede", "keep"]


class AuditFinding(Record):
    """Something about memories that is not as it should be."""

    kind: AuditKind
    memory_ids: list[str]
    """Of duplicates, the one that is kept first; of two that contradict each other, the older."""
    reason: str
    """One sentence."""
    fix: AuditRemedy
    """What would mend it; `keep` keeps a memory and clears its source."""
    memories: list[Memory]


class AuditShares(Record):
    """Which part of the memories each kind of finding is about, from 0 to 1."""

    junk: float = 0.0
    duplicate: float = 0.0
    unsupported: float = 0.0
    contradictory: float = 0.0
    stale: float = 0.0


class AuditReport(Record):
    """How far the memories of a user can be trusted."""

    total: int
    """How many are looked at: all that are neither archived nor superseded."""
    shares: AuditShares
    findings: list[AuditFinding]


class AuditFix(Record):
    """What was mended."""

    kind: AuditKind
    fixed: list[AuditFinding]
    """Those that still held, as they were."""


class MemoryHistory(Record):
    """How a memory came to be what it is."""

    memory: Memory
    before: list[Memory]
    """Those whose place it has taken, the oldest first."""
    after: list[Memory]
    """Those that have taken its place, one after the other."""
    changes: list[HistoryEntry]
