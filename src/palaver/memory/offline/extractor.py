"""The extractor without a model. It never fails, and says the same of the same words."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.index.values import OFFLINE
from palaver.memory.offline.reading import Reading
from palaver.memory.port import Candidate, Extracted, Saying

_MOST = 40
"""Of one message; who says more pastes."""


class OfflineExtractor:
    """Finds what lasts by how it is said."""

    async def extract(self, sayings: Sequence[Saying]) -> Extracted:
        return Extracted(OFFLINE, found(sayings))


def found(sayings: Sequence[Saying]) -> list[Candidate]:
    """What is worth remembering of some messages of one conversation, oldest first."""
    candidates: list[Candidate] = []
    pretending = False
    for saying in sayings:
        reading = Reading(saying, pretending=pretending)
        candidates += reading.candidates()[:_MOST]
        pretending = reading.pretending
    return candidates
