"""The maker that asks a model: one request for everything that is wanted, and one to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from palaver.digest.condensing import Count
from palaver.digest.model import prompt
from palaver.digest.model.answer import Fault, read, schema_of
from palaver.digest.model.asking import Writer, Written
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.checking import points_of
from palaver.digest.model.naming import naming_of
from palaver.digest.model.sheet import Sheet, portions, sheet_of
from palaver.digest.port import Abbreviation, Made, Naming, Story, Want
from palaver.errors import DigestUnusable

_TOLD = 5
"""An error tells so many reasons."""
_UNREADABLE = Fault("It is not one JSON object of the shape that was asked for.")


@dataclass(frozen=True, slots=True)
class _Checked:
    abbreviation: Abbreviation | None = None
    naming: Naming | None = None
    faults: Sequence[Fault] = ()


@dataclass(slots=True)
class _Spent:
    sums: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, written: Written) -> None:
        cost = {} if written.cost is None else {"cost": written.cost}
        for name, value in {"input": written.input, "output": written.output, **cost}.items():
            self.sums[name] = self.sums.get(name, 0) + value


class ModelDigest:
    """Asks a model, and takes only what holds: `Digest` of `palaver.digest.port`."""

    def __init__(self, writer: Writer, breaker: Breaker, *, count: Count, room: int) -> None:
        """`room` is how many tokens of a conversation fit in one request."""
        self._writer = writer
        self._breaker = breaker
        self._count = count
        self._room = room

    async def make(self, story: Story, wanted: frozenset[Want]) -> Made:
        """As the port has it. What does not fit in one request is read part by part, and the points
        of each are carried on. Raises ModelError: DigestUnusable when the answer does not hold,
        ModelResting when the model is not asked at all."""
        spent, before = _Spent(), story.before
        (*earlier, last), cap = portions(story.messages, self._room, self._count)
        for part in earlier:
            told = Story(story.conversation, part, before)
            carried = await self._asked(told, frozenset({"abbreviation"}), cap, spent)
            before = carried.abbreviation.points if carried.abbreviation else before
        told = replace(story, messages=last, before=before)
        made = await self._asked(told, wanted, cap, spent)
        return Made(self._writer.name, made.abbreviation, made.naming, spent.sums)

    async def _asked(
        self, story: Story, wanted: frozenset[Want], cap: int, spent: _Spent
    ) -> _Checked:
        sheet = sheet_of(story, cap, self._count)
        await self._breaker.tried()
        with self._breaker.watching():
            return await self._made(sheet, wanted, spent)

    async def _made(self, sheet: Sheet, wanted: frozenset[Want], spent: _Spent) -> _Checked:
        rules, schema = prompt.system(wanted), schema_of(wanted)
        asked = prompt.request(sheet, wanted)
        first = await self._writer.write(rules, asked, schema)
        spent.add(first)
        checked = check(first.text, sheet, wanted)
        if checked.faults:
            mending = prompt.repair(asked, first.text, checked.faults)
            second = await self._writer.write(rules, mending, schema)
            spent.add(second)
            checked = check(second.text, sheet, wanted)
        if checked.faults:
            reasons = " ".join(fault.reason for fault in checked.faults[:_TOLD])
            raise DigestUnusable(f"What the model made of it does not hold. {reasons}")
        return checked


def check(text: str, sheet: Sheet, wanted: frozenset[Want]) -> _Checked:
    """What a model has written, with small things mended, and everything that is wrong with it."""
    answer = read(text)
    if answer is None:
        return _Checked(faults=[_UNREADABLE])
    abbreviation, naming = None, None
    faults: list[Fault] = []
    if "abbreviation" in wanted:
        abbreviation, wrong = points_of(answer.points, sheet)
        faults += wrong
    if "title" in wanted:
        naming, wrong = naming_of(answer, sheet)
        faults += wrong
    return _Checked(abbreviation, naming, faults)
