"""Stand-ins for the ports of the room, and a builder over a real index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from palaver.app import Palaver
from palaver.context.builder import ContextBuilder
from palaver.context.history import HistoryReader
from palaver.context.ports import Job, Named, Open, Standing, Summary
from palaver.context.retriever import Retriever
from palaver.context.showing import PacketReader
from palaver.context.tokens import EstimatedTokens
from palaver.conversation.records import NewMessage
from palaver.index.records import ConversationMeta
from palaver.settings import ConversationSettings
from tests.library import Clock


@dataclass(frozen=True)
class Item:
    text: str
    message_id: str = "msg-1"
    turn: int = 1
    ref: str | None = None


@dataclass(frozen=True)
class State:
    """A state, as whoever keeps states would tell it."""

    covers: int = 0
    status: str = "active"
    active_topics: Sequence[str] = ()
    open_loops: Sequence[Open] = ()
    pending_clarifications: Sequence[Open] = ()
    active_job_refs: Sequence[Job] = ()
    resolved_entities: dict[str, Named] = field(default_factory=dict[str, Named])
    last_response_type: str | None = None


@dataclass(frozen=True)
class FixedState:
    standing: Standing

    async def state(self, conversation: ConversationMeta) -> Standing:
        return self.standing


@dataclass(frozen=True)
class FixedSummaries:
    summaries: list[Summary]

    async def newest(self, conversation: ConversationMeta) -> Sequence[Summary]:
        return self.summaries

    async def at(self, conversation_id: str, seq: int, *, day: str | None = None) -> Summary | None:
        return next((one for one in self.summaries if one.seq == seq), None)


def summary(text: str, covers: int, **fields: Any) -> Summary:
    given: dict[str, Any] = {
        "section": "summary",
        "seq": 999,
        "made": "2026-02-14T09:00:00.000Z",
        **fields,
    }
    return Summary(text=text, covers=covers, **given)


def builder_of(
    palaver: Palaver, *, window: int = 200_000, ports: dict[str, Any] | None = None, **settings: Any
) -> ContextBuilder:
    """A builder over the index of an open library, with settings and ports of its own."""
    index, search = palaver._index, palaver._archive.search  # pyright: ignore[reportPrivateUsage]
    return ContextBuilder(
        HistoryReader(index, palaver.user, lambda: UTC),
        Retriever(search, index, palaver.user, lambda: UTC),
        ConversationSettings(**settings),
        counter=EstimatedTokens(),
        clock=Clock(),
        window_of=lambda _: window,
        **(ports or {}),
    )


def reader_of(palaver: Palaver, **ports: Any) -> PacketReader:
    index = palaver._index  # pyright: ignore[reportPrivateUsage]
    return PacketReader(index, palaver.user, lambda: UTC, EstimatedTokens(), **ports)


async def talk(palaver: Palaver, *texts: str) -> str:
    """A conversation in which user and assistant take turns; brought in, so nothing follows it."""
    conversation = await palaver.start()
    roles = ("user", "assistant")
    said = [NewMessage(role=roles[n % 2], content=text) for n, text in enumerate(texts)]
    await palaver.append_many(conversation.id, said)
    return conversation.id
