"""The memory: what was learned, how it is found, and how it is forgotten."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass

from palaver.context.tokens import EstimatedTokens
from palaver.conversation.erasure import Erasures
from palaver.conversation.learned import Readers, SourceErasure, gate_of, keeping_of
from palaver.conversation.learning import Learning
from palaver.digest.model.breaker import Breaker
from palaver.errors import BadSetting
from palaver.house.archive import Archive
from palaver.house.ground import Ground
from palaver.index.values import OFFLINE
from palaver.memory.apart import ApartExtractor
from palaver.memory.echoes import Echoes
from palaver.memory.extracting import Extractors
from palaver.memory.finding import Finding
from palaver.memory.forgetting import Forgetting
from palaver.memory.memories import Memories
from palaver.memory.model.extractor import ModelExtractor
from palaver.memory.oblivion import Oblivion
from palaver.memory.rescuing import Rescuing
from palaver.memory.withdrawing import Withdrawing


@dataclass(frozen=True, slots=True)
class Memory:
    erasures: Erasures
    finding: Finding
    forgetting: Forgetting
    learning: Learning
    memories: Memories


def furnish_memory(ground: Ground, archive: Archive) -> Memory:
    books, settings, clock = ground.books, ground.settings.memory, ground.clock
    keeping = keeping_of(books)
    erasures = Erasures(books, Rescuing(keeping))
    finding, gate = Finding(keeping), gate_of(keeping, settings)
    readers = Readers(settings, clock, ground.telemetry)
    reading = readers.reading(keeping, gate, _extractors(ground))
    forgetting = Forgetting(
        keeping,
        Oblivion(keeping),
        SourceErasure(erasures),
        Echoes(books.index, ground.user, archive.search),
    )
    read_on = ground.orders.read_on if ground.orders.digests else None
    return Memory(
        erasures=erasures,
        finding=finding,
        forgetting=forgetting,
        learning=Learning(reading, Withdrawing(keeping, forgetting), read_on),
        memories=Memories(
            keeping,
            finding=finding,
            gate=gate,
            forgetting=forgetting,
            reading=reading,
            clock=clock,
        ),
    )


def _extractors(ground: Ground) -> Extractors:
    """Who finds what is worth remembering when somebody asks for it: the model that makes digests,
    if it is connected. A program that makes none is not stopped by a wrong name."""
    name, catalogue = OFFLINE, ground.catalogue
    with nullcontext() if ground.orders.digests else suppress(BadSetting):
        name = catalogue.digest_model(ground.settings.index.abbreviation_model)
    if name == OFFLINE:
        return Extractors(ApartExtractor())
    writer, room = ground.connections.writer(name), catalogue.window(name) // 2
    model = ModelExtractor(writer, Breaker(ground.clock), count=EstimatedTokens().count, room=room)
    return Extractors(ApartExtractor(), model, writer.name)
