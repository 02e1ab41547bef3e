"""Shapes of memories: what requests about them carry."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from palaver.index.records import MemoryType, Moment
from palaver.memory.port import MAX_CATEGORY, MAX_CONTENT
from palaver.memory.records import AuditKind, MemoryChange
from palaver.server.shapes import (
    AS_SPELT,
    Body,
    NamedConversation,
    NamedMemory,
    NamedMessage,
    check_given,
    only_null,
)

Content = Annotated[str, Field(min_length=1, max_length=MAX_CONTENT, pattern=r"\S")]
Category = Annotated[str, Field(min_length=1, max_length=MAX_CATEGORY)]
MOST_AT_ONCE = 1000


class NewMemoryBody(Body):
    """Something to remember."""

    content: Content = Field(description="One or two sentences that stand by themselves.")
    type: MemoryType = "fact"
    category: Category | None = None
    pinned: bool = False
    valid_from: Moment | None = Field(default=None, description="Since when it holds; now.")
    source_conversation_id: NamedConversation | None = Field(
        default=None, description="Where it was said."
    )
    source_message_id: NamedMessage | None = Field(
        default=None, description="The message it comes from."
    )
    quote: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="The words of that message it stands on; all, unless given."
    )


class MemoryChangeBody(MemoryChange):
    """What to change about a memory; fields that are not given stay as they are."""

    model_config = AS_SPELT | ConfigDict(json_schema_extra=only_null("category", "validFrom"))

    @model_validator(mode="after")
    def _is_given(self) -> Self:
        check_given(self, "category", "valid_from")
        return self


class AuditFixBody(Body):
    """What of an audit is to be mended."""

    kind: AuditKind
    memory_ids: list[NamedMemory] = Field(
        description="The memories of one finding, or of several.",
        min_length=1,
        max_length=MOST_AT_ONCE,
    )


class ExtractionBody(Body):
    """A conversation to read for what is worth remembering."""

    conversation_id: NamedConversation
    dry_run: bool = Field(default=False, description="Only say what would be remembered.")
