"""Weighing a digest: a worse one never takes the place of a better one.

An abbreviation has room for little, however long the conversation is. So what it must tell is what
fits into a share of that room, and of what the one before told it has to keep as much as that one
told of the whole. `docs/explanation/lifecycle.md` gives the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from palaver.digest.condensing import KEPT_SHARE, Count, is_binding
from palaver.digest.judging import missing
from palaver.digest.notes import Note, flat, marks_of, notes_of, open_note, taken
from palaver.digest.points import point_of, text_of
from palaver.digest.port import LEAST_TOKENS, LONG_SOURCE, MOST_TOKENS, Point, Story
from palaver.index.records import SummarySource

_SURE = 120
"""What must be told takes at most so many tokens."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a digest is weighed against."""

    story: Story
    required: Sequence[Note]
    """What it must not lack."""
    before: Sequence[Point]
    """What the digest before told, without what was open and is closed now, and without what is
    not said any more."""
    least: int
    """So many of these points have to be kept."""
    count: Count


def scale_of(story: Story, before: Sequence[Point], told: float, count: Count) -> Scale:
    """`told` is how much of the conversation the digest before told, from 0 to 1."""
    still_open = {item.text for item in story.open}
    said = _said(story)
    founded = [point for point in before if point.sources and not any(_unfounded([point], said))]
    lasting = [point for point in founded if not _is_closed(point, still_open)]
    least = ceil(KEPT_SHARE * told * len(lasting))
    return Scale(story, list(_required(story, count)), lasting, least, count)


# -- what is missing is added --------------------------------------------------------------------


def completed(made: Sequence[Point], scale: Scale, carried: Sequence[Point] = ()) -> list[Point]:
    """The points with what they must not lack, word for word, and with those `carried` on. Where
    there is no room for the others, the least of them go."""
    firm = [point for point in (*made, *carried) if _tells_any(point, scale.required)]
    firm += map(point_of, missing(text_of(firm), scale.required))
    others = [*carried, *sorted(made, key=_worth, reverse=True)]
    fitting = _fitting([*firm, *others], scale.count)
    if any(missing(text_of(fitting), scale.required)):  # those that tell it are too long
        fitting = _fitting([*map(point_of, scale.required), *others], scale.count)
    chosen = {point.text: point for point in fitting}
    return [*(point for point in made if chosen.pop(point.text, None)), *chosen.values()]


def carried_on(scale: Scale) -> list[Point]:
    """As many points of the digest before as have to be kept, those that are worth most."""
    return sorted(scale.before, key=_worth, reverse=True)[: scale.least]


def _fitting(points: Iterable[Point], count: Count) -> list[Point]:
    """As many as there is room for, the first ones first, each once."""
    chosen: list[Point] = []
    for point in {point.text: point for point in points}.values():
        if count(text_of([*chosen, point])) <= MOST_TOKENS:
            chosen.append(point)
    return chosen


def _worth(point: Point) -> float:
    notes = notes_of(point.sources) or notes_of([SummarySource(message_id="", quote=point.text)])
    return max(note.worth for note in notes)


# -- why one is refused --------------------------------------------------------------------------


def faults(made: Sequence[Point], scale: Scale) -> list[str]:
    """Why a digest is refused, in sentences; none when it is as good as it has to be."""
    return list(_faults(made, scale)) if made else ["It is empty."]


def is_scant(made: Sequence[Point], scale: Scale) -> bool:
    """Whether it says too little of what is long."""
    length = sum(scale.count(message.content) for message in scale.story.messages)
    return length > LONG_SOURCE and scale.count(text_of(made)) < LEAST_TOKENS


def _faults(made: Sequence[Point], scale: Scale) -> Iterator[str]:
    text = text_of(made)
    if (length := scale.count(text)) > MOST_TOKENS:
        yield f"It has {length} tokens, and may have {MOST_TOKENS}."
    for note in missing(text, scale.required):
        what = "Something open" if note.kind == "open" else "A name or number of a decision"
        yield f"{what} is missing: turn {note.turn}."
    if (told := _kept(made, scale.before)) < scale.least:
        yield f"Of {len(scale.before)} points of the one before it tells only {told}."
    yield from unfounded(made, scale)


def unfounded(made: Sequence[Point], scale: Scale) -> Iterator[str]:
    """What does not stand on what was said, in sentences."""
    yield from _unfounded(made, _said(scale.story))


def _unfounded(made: Sequence[Point], said: Mapping[str, str]) -> Iterator[str]:
    for number, point in enumerate(made, 1):
        if not point.sources:
            yield f"Point {number} stands on no message."
        for source in point.sources:
            if flat(source.quote or "") not in said.get(source.message_id, ""):
                yield f"Point {number} quotes what was not said."
            elif source.message_id not in said:
                yield f"Point {number} stands on a message that it was not made from."


def _said(story: Story) -> dict[str, str]:
    """What there is to stand on: the messages, what the digest before has quoted, what is open."""
    said: dict[str, str] = {}
    earlier = (source for point in story.before for source in point.sources)
    quoted = [(source.message_id, source.quote or "") for source in earlier]
    for message_id, text in [*quoted, *((item.message_id, item.text) for item in story.open)]:
        said[message_id] = f"{said.get(message_id, '')}\n{flat(text)}"
    return said | {message.id: flat(message.content) for message in story.messages}


def _kept(made: Sequence[Point], before: Sequence[Point]) -> int:
    """How many points of the digest before are still told: word for word, by all their names and
    numbers, or by a point that stands on the same message."""
    text = text_of(made)
    words, marks = flat(text), marks_of(text)
    ids = {source.message_id for point in made for source in point.sources}
    return sum(flat(one.text) in words or _is_told(one, marks, ids) for one in before)


def _is_told(point: Point, marks: frozenset[str], ids: set[str]) -> bool:
    own = marks_of(point.text)
    if own:
        return own <= marks
    return any(source.message_id in ids for source in point.sources)


# -- what is required ----------------------------------------------------------------------------


def _required(story: Story, count: Count) -> Iterator[Note]:
    """What is open, then decisions with a name or a number: the newest first, as many as have room.
    Only the user decides, and a message without names and numbers holds no such decision."""
    telling = (one for one in story.messages if one.role == "user" and marks_of(one.content))
    earlier = (note for point in story.before for note in notes_of(point.sources))
    decided = [note for note in (*earlier, *taken(telling)) if is_binding(note)]
    room = _SURE
    for note in (*_newest(map(open_note, story.open)), *_newest(decided)):
        cost = count(text_of([point_of(note)]))
        if cost <= room:
            room -= cost
            yield note


def _newest(notes: Iterable[Note]) -> list[Note]:
    """Each once, where it was said last."""
    once = {flat(note.text): note for note in notes}
    return sorted(once.values(), key=lambda note: note.turn, reverse=True)


def _tells_any(point: Point, required: Sequence[Note]) -> bool:
    return len(list(missing(point.text, required))) < len(required)


def _is_closed(point: Point, still_open: set[str]) -> bool:
    quoted = {source.quote for source in point.sources if source.kind == "open"}
    return bool(quoted) and not quoted & still_open
