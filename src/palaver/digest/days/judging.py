"""Judging a day summary: a worse one never takes the place of a better one.

What is open at the end of the day, what was closed on it, and decisions with a name or a number in
them are never missing. `docs/explanation/days.md` gives the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from palaver.digest.condensing import KEPT_SHARE, Count, is_binding
from palaver.digest.days.loops import loop_points, tells
from palaver.digest.days.markdown import quoted
from palaver.digest.days.port import (
    DECISION,
    MOST_TOKENS,
    OPEN,
    DayPoint,
    DayStory,
    DaySummary,
    same,
)
from palaver.digest.judging import missing
from palaver.digest.notes import Note, flat, marks_of, notes_of, taken
from palaver.digest.points import point_of

_SURE = 240
"""What decisions may take that must be told, in tokens: the newest go first."""


@dataclass(frozen=True, slots=True)
class DayScale:
    """What the summary of a day is weighed against."""

    story: DayStory
    decisions: Sequence[Note]
    """Those with a name or a number: what it must not lack."""
    loops: Sequence[DayPoint]
    """What is open, and what was closed of earlier days: likewise."""
    before: Sequence[DayPoint]
    """What the summary before told, without what was open and is closed now, and without what is
    not said any more."""
    least: int
    """So many of these lines have to be kept."""
    count: Count


def scale_of(story: DayStory, before: Sequence[DayPoint], told: float, count: Count) -> DayScale:
    """`told` is how much of the day the summary before told, from 0 to 1."""
    said = _said(story)
    founded = [one for one in before if one.sources and not any(_unfounded([one], said))]
    lasting = [one for one in founded if not _is_closed(one, story)]
    least = ceil(KEPT_SHARE * told * len(lasting))
    decisions = list(_decisions(story, count))
    return DayScale(story, decisions, loop_points(story, count), lasting, least, count)


# -- what is missing is added --------------------------------------------------------------------


def completed(
    made: Sequence[DayPoint], scale: DayScale, carried: Sequence[DayPoint] = ()
) -> list[DayPoint]:
    """The lines with what they must not lack, word for word, and with those `carried` on. Where
    there is no room for all of them, the least of the others go."""
    lacking = [*missing_loops(made, scale), *_missing_decisions(made, scale)]
    firm = [point for point in made if _is_firm(point, scale)] + lacking
    others = sorted((point for point in made if not _is_firm(point, scale)), key=_worth)
    chosen = _fitting([*firm, *carried, *reversed(others)], scale.count)
    if any(missing_loops(chosen, scale)):  # those that tell it are too long
        chosen = _fitting([*scale.loops, *firm, *carried, *reversed(others)], scale.count)
    kept = {same(point.text): point for point in chosen}
    ordered = (kept.pop(same(point.text), None) for point in made)
    return [*(point for point in ordered if point), *kept.values()]


def carried_lines(scale: DayScale) -> list[DayPoint]:
    """As many lines of the summary before as have to be kept, those that are worth most."""
    return sorted(scale.before, key=_worth, reverse=True)[: scale.least]


def missing_loops(made: Sequence[DayPoint], scale: DayScale) -> list[DayPoint]:
    return [loop for loop in scale.loops if not any(tells(point, loop) for point in made)]


def _missing_decisions(made: Sequence[DayPoint], scale: DayScale) -> list[DayPoint]:
    told = DaySummary(made).text
    lacking = (point_of(note) for note in missing(told, scale.decisions))
    return [
        DayPoint(section="Decisions", text=point.text, sources=point.sources) for point in lacking
    ]


def _is_firm(point: DayPoint, scale: DayScale) -> bool:
    """Whether it tells something that must be told."""
    if any(tells(point, loop) for loop in scale.loops):
        return True
    return len(list(missing(point.text, scale.decisions))) < len(scale.decisions)


def _fitting(points: Iterable[DayPoint], count: Count) -> list[DayPoint]:
    """As many as there is room for, the first ones first, each once."""
    chosen: list[DayPoint] = []
    for point in {same(point.text): point for point in points}.values():
        if count(DaySummary([*chosen, point]).text) <= MOST_TOKENS:
            chosen.append(point)
    return chosen


def _worth(point: DayPoint) -> float:
    return max((note.worth for note in notes_of(point.sources)), default=0.0)


# -- why one is refused --------------------------------------------------------------------------


def faults(made: Sequence[DayPoint], scale: DayScale) -> list[str]:
    """Why a summary is refused, in sentences; none when it is as good as it has to be."""
    return list(_faults(made, scale)) if made else ["It is empty."]


def unfounded(made: Sequence[DayPoint], scale: DayScale) -> list[str]:
    """What does not stand on what was said, in sentences."""
    return list(_unfounded(made, _said(scale.story)))


def _faults(made: Sequence[DayPoint], scale: DayScale) -> Iterator[str]:
    text = DaySummary(made).text
    if (length := scale.count(text)) > MOST_TOKENS:
        yield f"It has {length} tokens, and may have {MOST_TOKENS}."
    for loop in missing_loops(made, scale):
        what = "open" if loop.sources[0].kind == OPEN else "closed"
        yield f"Something {what} is missing: turn {loop.sources[0].turn}."
    for note in missing(text, scale.decisions):
        yield f"A name or number of a decision is missing: turn {note.turn}."
    if (told := _kept(made, scale.before)) < scale.least:
        yield f"Of {len(scale.before)} lines of the one before it tells only {told}."
    yield from unfounded(made, scale)


def _unfounded(made: Sequence[DayPoint], said: Mapping[str, str]) -> Iterator[str]:
    for number, point in enumerate(made, 1):
        if not point.sources:
            yield f"Line {number} stands on no message."
        for source in point.sources:
            if source.message_id not in said:
                yield f"Line {number} stands on a message that it was not made from."
            elif flat(source.quote or "") not in said[source.message_id]:
                yield f"Line {number} quotes what was not said."


def _said(story: DayStory) -> dict[str, str]:
    """What there is to stand on: the messages, what the summary before has quoted, what is open and
    what was closed, and by what."""
    said: dict[str, str] = {}
    told = [(one.message_id, one.quote or "") for one in quoted(story.before)]
    told += [(item.message_id, item.text) for item in (*story.open, *story.closed)]
    told += [(item.closed.message_id, "") for item in story.closed if item.closed]
    for message_id, text in told:
        said[message_id] = f"{said.get(message_id, '')}\n{flat(text)}"
    return said | {message.id: flat(message.content) for message in story.messages}


def _kept(made: Sequence[DayPoint], before: Sequence[DayPoint]) -> int:
    """How many lines of the summary before are still told: word for word, by all their names and
    numbers, or by a line that stands on the same message."""
    text = DaySummary(made).text
    words, marks = flat(text), marks_of(text)
    ids = {source.message_id for source in quoted(made)}
    return sum(flat(one.text) in words or _is_told(one, marks, ids) for one in before)


def _is_told(point: DayPoint, marks: frozenset[str], ids: set[str]) -> bool:
    own = marks_of(point.text)
    return own <= marks if own else any(one.message_id in ids for one in point.sources)


# -- what is required ----------------------------------------------------------------------------


def _decisions(story: DayStory, count: Count) -> Iterator[Note]:
    """Decisions with a name or a number: the newest first, as many as have room. Only the user
    decides, and a message without names and numbers holds no such decision."""
    telling = (one for one in story.messages if one.role == "user" and marks_of(one.content))
    earlier = () if story.stays else notes_of(quoted(story.before))
    room, known = _SURE, set[str]()
    for note in sorted((*earlier, *taken(telling)), key=lambda note: note.turn, reverse=True):
        cost = count(point_of(note).text) + 3
        if note.kind == DECISION and is_binding(note) and same(note.text) not in known:
            known.add(same(note.text))
            if cost <= room:
                room -= cost
                yield note


def _is_closed(point: DayPoint, story: DayStory) -> bool:
    """Whether a line tells of something that was open then and is not any more."""
    told = [(one.message_id, flat(one.quote or "")) for one in point.sources if one.kind == OPEN]
    still = [(item.message_id, flat(item.text)) for item in story.open]
    return bool(told) and not any(
        at == other and text.startswith(quote) for at, quote in told for other, text in still
    )
