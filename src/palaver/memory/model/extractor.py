"""The extractor that asks a model: one request for a few messages, and one to mend its answer."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.digest.condensing import Count
from palaver.digest.model import prompt
from palaver.digest.model.asking import Writer
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.requests import Request, Requests, Spent
from palaver.digest.model.sheet import parted
from palaver.memory.model.answer import SCHEMA
from palaver.memory.model.checking import check
from palaver.memory.model.transcript import Transcript
from palaver.memory.port import Candidate, Extracted, Saying

_MOST_ROOM = 6000
"""No more tokens are shown at once, whatever a model could read: what it finds in them is to fit in
one answer."""


class ModelExtractor:
    """Asks a model, and takes only what holds: `Extractor` of `palaver.memory.port`."""

    def __init__(self, writer: Writer, breaker: Breaker, *, count: Count, room: int) -> None:
        """`room` is how many tokens of a conversation fit in one request."""
        self._requests = Requests(writer, breaker)
        self._count = count
        self._room = min(room, _MOST_ROOM)

    async def extract(self, sayings: Sequence[Saying]) -> Extracted:
        """As the port has it. What does not fit in one request takes several. Raises ModelError:
        DigestUnusable when an answer does not hold, ModelResting when the model is not asked."""
        spent, found = Spent(), list[Candidate]()
        whole = self._transcript([one for one in sayings if one.text.strip()])
        for part in parted(whole.sayings, self._room, whole.cost):
            if part:
                found += await self._asked(self._transcript(part), spent)
        return Extracted(self._requests.writer.name, found, spent.sums)

    async def _asked(self, transcript: Transcript, spent: Spent) -> Sequence[Candidate]:
        rules = prompt.shaped([prompt.written("palaver.memory.model", "prompt")], SCHEMA)
        request = Request(rules, f"{transcript.text}\n\n{prompt.END}", SCHEMA)
        answer = await self._requests.answer(request, lambda text: check(text, transcript), spent)
        return answer.candidates

    def _transcript(self, sayings: Sequence[Saying]) -> Transcript:
        return Transcript(sayings, self._room, self._count)
