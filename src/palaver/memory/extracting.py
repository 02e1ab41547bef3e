"""Extracting: who finds what is worth remembering, a model first, and what is told of that."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

from palaver.errors import DigestUnusable, ModelError
from palaver.index.values import OFFLINE
from palaver.memory.port import Extracted, Extractor, Saying
from palaver.telemetry import Digested, Telemetry

log = logging.getLogger(__name__)
_WHAT = "memories"


@dataclass(frozen=True, slots=True)
class Extractors:
    """Who finds it."""

    offline: Extractor
    model: Extractor | None = None
    """Goes first, if there is one."""
    name: str = OFFLINE
    """What the model is called."""


class Extracting:
    """Has messages read, and always comes to something."""

    def __init__(self, extractors: Extractors, telemetry: Telemetry) -> None:
        self._extractors = extractors
        self._telemetry = telemetry

    async def offline(self, sayings: Sequence[Saying]) -> Extracted:
        """What is found without a model."""
        if not sayings:
            return Extracted(OFFLINE, ())
        return await self._extractors.offline.extract(sayings)

    async def best(self, conversation_id: str, sayings: Sequence[Saying]) -> Extracted:
        """What a model finds; what is found without one, if that fails: these turns are read, and
        it is asked about the next ones."""
        if not sayings:
            return Extracted(OFFLINE, ())
        model, began = self._extractors.model, time.perf_counter()
        if model is None:
            return self._told(conversation_id, await self.offline(sayings), began)
        try:
            return self._told(conversation_id, await model.extract(sayings), began)
        except ModelError as error:
            log.warning("extraction_failed %s %s: %s", conversation_id, error.code, error.message)
            self._fails(conversation_id, error, time.perf_counter() - began)
        found = await self.offline(sayings)
        return self._told(conversation_id, found, began, stands_in=True)

    def _told(
        self, conversation_id: str, found: Extracted, began: float, *, stands_in: bool = False
    ) -> Extracted:
        event = Digested(
            conversation_id,
            _WHAT,
            found.by,
            "stood_in" if stands_in else "kept",
            time.perf_counter() - began,
            input_tokens=int(found.spent.get("input", 0)),
            output_tokens=int(found.spent.get("output", 0)),
            cost=found.spent.get("cost"),
        )
        self._telemetry.tell(event)
        return found

    def _fails(self, conversation_id: str, error: ModelError, seconds: float) -> None:
        outcome = "refused" if isinstance(error, DigestUnusable) else "failed"
        name = self._extractors.name
        event = Digested(conversation_id, _WHAT, name, outcome, seconds, error_code=error.code)
        self._telemetry.tell(event)
