"""The maker that asks a model: one request for everything that is wanted, and one to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palaver.digest.condensing import Count
from palaver.digest.model import prompt
from palaver.digest.model.answer import UNREADABLE, Answer, Fault, read, schema_of
from palaver.digest.model.asking import Writer
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.checking import points_of
from palaver.digest.model.naming import naming_of
from palaver.digest.model.requests import Request, Requests, Spent
from palaver.digest.model.sheet import Sheet, portions, sheet_of
from palaver.digest.port import Abbreviation, Made, Naming, Story, Want


@dataclass(frozen=True, slots=True)
class _Checked:
    abbreviation: Abbreviation | None = None
    naming: Naming | None = None
    faults: Sequence[Fault] = ()


class ModelDigest:
    """Asks a model, and takes only what holds: `Digest` of `palaver.digest.port`."""

    def __init__(self, writer: Writer, breaker: Breaker, *, count: Count, room: int) -> None:
        """`room` is how many tokens of a conversation fit in one request."""
        self._requests = Requests(writer, breaker)
        self._count = count
        self._room = room

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        """As the port has it. What does not fit in one request is read part by part, and the points
        of each are carried on. Raises ModelError: DigestUnusable when the answer does not hold,
        ModelResting when the model is not asked at all."""
        spent, before = Spent(), story.before
        (*earlier, last), cap = portions(story.messages, self._room, self._count)
        for part in earlier:
            told = Story(story.conversation, part, before)
            carried = await self._asked(told, frozenset({"abbreviation"}), cap, spent)
            before = carried.abbreviation.points if carried.abbreviation else before
        told = replace(story, messages=last, before=before)
        made = await self._asked(told, wanted, cap, spent)
        return Made(self._requests.writer.name, made.abbreviation, made.naming, spent.sums)

    async def _asked(
        self, story: Story, wanted: frozenset[Want], cap: int, spent: Spent
    ) -> _Checked:
        sheet = sheet_of(story, cap, self._count)
        asked = prompt.request(sheet, wanted)
        request = Request(prompt.system(wanted), asked, schema_of(wanted))
        return await self._requests.answer(request, lambda text: check(text, sheet, wanted), spent)


def check(text: str, sheet: Sheet, wanted: frozenset[Want]) -> _Checked:
    """What a model has written, with small things mended, and everything that is wrong with it."""
    answer = read(text, Answer)
    if answer is None:
        return _Checked(faults=[UNREADABLE])
    abbreviation, naming = None, None
    faults: list[Fault] = []
    if "abbreviation" in wanted:
        abbreviation, wrong = points_of(answer.points, sheet)
        faults += wrong
    if "title" in wanted:
        naming, wrong = naming_of(answer, sheet)
        faults += wrong
    return _Checked(abbreviation, naming, faults)
