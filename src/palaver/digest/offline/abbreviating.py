"""Abbreviating: a conversation in a few of its own sentences, by which it is found again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from palaver.digest.condensing import Count
from palaver.digest.notes import marks_of
from palaver.digest.offline.choosing import chosen
from palaver.digest.offline.lines import (
    Clip,
    Line,
    Reading,
    clipped,
    line_before,
    open_line,
    plain_line,
)
from palaver.digest.offline.task import Task
from palaver.digest.offline.weighing import alike
from palaver.digest.port import (
    BULLET,
    LEAST_TOKENS,
    LONG_SOURCE,
    MOST_TOKENS,
    Abbreviation,
    Point,
)
from palaver.digest.state import Item
from palaver.digest.state.confided import tells_secret
from palaver.digest.state.content import content
from palaver.index.records import Message
from palaver.index.rows import UNSEEN
from palaver.text import SHORT, pieces

_LINE = 64
"""A line has at most so many tokens."""
_SURE = MOST_TOKENS // 2
"""What is open and what was decided may take so many tokens before anything else is chosen."""
_MOST_OPEN = 4
_PLAIN = 5_000
"""So many characters of a message serve where nothing better is said."""
_MOST_LINES = 300
"""Of more lines those of the least worth are passed over: each is compared with all others."""


@dataclass(frozen=True, slots=True)
class Sized:
    """What texts cost, and how they are cut to it."""

    count: Count

    def cost(self, text: str) -> int:
        return self.count(f"{BULLET}{text}\n")

    def whole(self, lines: Iterable[Line]) -> int:
        """What lines cost together."""
        return self.count("\n".join(f"{BULLET}{line.text}" for line in lines))

    def clip(self, text: str) -> str:
        """The beginning of a text, as much as a line may have."""
        return self.cut(clipped(text), _LINE)

    def cut(self, text: str, tokens: int) -> str:
        while len(text) > 1 and self.cost(text) > tokens:
            text = clipped(text, len(text) * 3 // 4)
        return text


def abbreviate(task: Task, reading: Reading, sized: Sized) -> Abbreviation:
    """The lines that stand best for all of it, in the order in which they were said."""
    lines = _gathered(reading, task.before, task.open, sized.clip)
    costs = [sized.cost(line.text) for line in lines]
    same = alike(lines, task.messages, task.vectors)
    numbers = chosen(lines, same, costs, MOST_TOKENS, _sure(lines, costs))
    kept = [lines[number] for number in numbers]
    kept += _more(kept, task.messages, sized)
    ordered = sorted(kept, key=_when)
    return Abbreviation([_point(line, number) for number, line in enumerate(ordered)])


def _gathered(
    reading: Reading, before: Sequence[Point], left_open: Sequence[Item], clip: Clip
) -> list[Line]:
    """Every line once, what is open as such; of very many, those that are worth most."""
    items = [open_line(item, clip) for item in left_open[-_MOST_OPEN:]]
    spoken = reading.language
    told = [line_before(one, n, content(one.text, spoken)) for n, one in enumerate(before)]
    best = sorted(reading.lines, key=lambda line: -line.weight * (1 + line.worth))[:_MOST_LINES]
    once = {line.text.casefold(): line for line in [*best, *told, *items]}
    return list(once.values())


def _sure(lines: Sequence[Line], costs: Sequence[int]) -> list[int]:
    """What is kept before anything else: what is open, then decisions with names or numbers."""
    must = [n for n, line in enumerate(lines) if line.kind == "open"]
    decided = [n for n, line in enumerate(lines) if line.kind == "decision" and marks_of(line.text)]
    must += sorted(decided, key=lambda n: (-lines[n].worth, n))
    room, kept = _SURE, list[int]()
    for number in must:
        if costs[number] <= room:
            room -= costs[number]
            kept.append(number)
    return kept


def _more(kept: Sequence[Line], messages: Sequence[Message], sized: Sized) -> list[Line]:
    """Other words of the messages, when those that were chosen are too few."""
    long = sum(sized.count(message.content) for message in messages) > LONG_SOURCE
    least = LEAST_TOKENS if long else 1
    quotes = [source.quote for line in kept for source in line.sources if source.quote]
    every = partial(_plain, messages, sized)
    fresh = (line for line in every() if not _overlaps(line, quotes))
    more: list[Line] = []
    for line in chain(fresh, every()):
        if sized.whole([*kept, *more]) >= least:
            break
        if sized.whole([*kept, *more, line]) <= MOST_TOKENS:
            more.append(line)
    return more


def _overlaps(line: Line, quotes: Sequence[str]) -> bool:
    own = line.sources[0].quote or ""
    return any(own in quote or quote in own for quote in quotes)


def _plain(messages: Sequence[Message], sized: Sized) -> Iterator[Line]:
    """The first pieces of all messages, one after the other."""
    for number, message in enumerate(messages):
        text = message.content[:_PLAIN]
        if message.status not in UNSEEN and not tells_secret(text):
            for start, end in pieces(text, SHORT):
                quote = sized.cut(text[start:end], _LINE)
                yield plain_line(message, quote, (number, start))


def _when(line: Line) -> tuple[int, int, int]:
    turn = max((source.turn for source in line.sources), default=0)
    return turn, *line.place


def _point(line: Line, number: int) -> Point:
    sources = [source.model_copy(update={"point": number}) for source in line.sources]
    return Point(text=line.text, sources=sources)
