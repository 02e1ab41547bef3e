"""What memories need of conversations: where they are kept, how their sources are erased, and who
reads for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.conversation.books import Books
from palaver.conversation.erasure import Erasures
from palaver.index.records import Message
from palaver.memory.extracting import Extracting, Extractors
from palaver.memory.finding import Finding
from palaver.memory.gate import Gate
from palaver.memory.keeping import Keeping
from palaver.memory.oblivion import Oblivion
from palaver.memory.reading import Reading
from palaver.settings import MemorySettings
from palaver.telemetry import Telemetry
from palaver.times import Clock


@dataclass(frozen=True, slots=True)
class SourceErasure:
    """Erases the messages that memories came from: `EraseMessages` of `palaver.memory`."""

    erasures: Erasures

    async def erase(self, messages: Sequence[Message]) -> None:
        await self.erasures.together([(one.conversation_id, one.id) for one in messages])


def keeping_of(books: Books) -> Keeping:
    """Where the memories of a user are kept."""
    return Keeping(books.ledger, books.index, books.user, books.remains)


def gate_of(keeping: Keeping, settings: MemorySettings) -> Gate:
    """Who decides what the memories of a user are to be."""
    return Gate(keeping, Finding(keeping), Oblivion(keeping), settings.approval)


@dataclass(frozen=True, slots=True)
class Readers:
    """What whoever reads conversations goes by."""

    settings: MemorySettings
    clock: Clock
    telemetry: Telemetry

    def reading(self, keeping: Keeping, gate: Gate, extractors: Extractors) -> Reading:
        return Reading(
            keeping,
            gate,
            Extracting(extractors, self.telemetry),
            every=self.settings.promote_every,
            clock=self.clock,
        )
