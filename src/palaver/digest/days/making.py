"""Making the summary of a day without a model: its own sentences, word for word.

A pure function of the story: the same messages always give the same summary, on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from palaver.digest.condensing import Count
from palaver.digest.days.loops import done_points, loop_points, tells
from palaver.digest.days.port import (
    DECISION,
    GOAL,
    MOST_TOKENS,
    ROOM,
    SAID,
    DayPoint,
    DayStory,
    DaySummary,
    Section,
    same,
)
from palaver.digest.notes import flat, marks_of, weighed
from palaver.digest.offline.abbreviating import Sized
from palaver.digest.offline.choosing import chosen
from palaver.digest.offline.lines import Line, Reading, line_before, read
from palaver.digest.offline.weighing import alike
from palaver.digest.state.confided import tells_secret
from palaver.digest.state.content import content
from palaver.digest.state.heard import Heard
from palaver.digest.state.sentences import Sentence
from palaver.index.records import Message, SummarySource

_HEADINGS = 25
"""What the five headings cost, in tokens."""
_NARRATIVE = (60, 160)
"""So many tokens the narrative has at least and at most, whatever else is told."""
_BINDING = 240
"""What decisions with a name or a number in them may take."""
_DECIDED, _GOALS, _DONE = 60, 80, 60
"""What other decisions may take, and goals, and what was both left open and closed on this day."""
_MOST_GOALS = 4
_MOST_LINES = 150
"""Of more lines those of the least worth are passed over: each is compared with all others."""
_FEW = 3
_FIRST = 500
"""No line has so many characters."""
_SYNTAX = re.compile(r"\s*(?:[#>|=`~*+_<&\\\[-]|\d+[.)])")
"""How a line begins that would mean something else in Markdown."""
_WORDLESS = "Nothing was said in words."


def made(story: DayStory, count: Count) -> DaySummary:
    """The summary. None fails: there are always words to choose from."""
    sized = Sized(count)
    reading = read(story.messages, sized.clip)
    points = _fixed(story, reading, count)
    used = ROOM - _HEADINGS - sum(count(point.line) + 1 for point in points)
    least, most = _NARRATIVE
    told = _narrative(story, reading, points, sized, min(max(used, least), most))
    points = [*told, *(point for point in points if not _was_told(point, story))]
    return DaySummary(_within(points or list(_wordless(story)), count))


def _fixed(story: DayStory, reading: Reading, count: Count) -> list[DayPoint]:
    """Everything but the narrative, each once; what has to be told goes first."""
    loops = loop_points(story, count)
    decided = [*_before(story, "Decisions"), *_decisions(reading)]
    binding = [point for point in decided if marks_of(point.text)]
    others = [point for point in decided if not marks_of(point.text)]
    goals = [*_before(story, "Goals"), *_goals(reading)]
    kept = _newest(_once(binding, []), _BINDING, count)
    kept = [_with_loop(point, loops) for point in kept]
    kept += _once((loop for loop in loops if not any(tells(one, loop) for one in kept)), kept)
    for offered, room in ((others, _DECIDED), (goals[-_MOST_GOALS:], _GOALS)):
        kept += _newest(_once(offered, kept), room, count)
    return kept + _newest(_once(reversed(done_points(story)), kept), _DONE, count)


def _with_loop(decision: DayPoint, loops: Sequence[DayPoint]) -> DayPoint:
    """A decision that is also something left to do says both, and is not told again."""
    left = [loop.sources[0] for loop in loops if _quoted(loop) == _quoted(decision)]
    return decision.model_copy(update={"sources": [*decision.sources, *left]})


def _before(story: DayStory, section: Section) -> Iterator[DayPoint]:
    return (point for point in story.before if point.section == section)


def _was_told(point: DayPoint, story: DayStory) -> bool:
    """Whether it stands in a summary that stays as it is."""
    return story.stays and any(same(point.text) == same(one.text) for one in story.before)


# -- decisions and goals -------------------------------------------------------------------------


def _decisions(reading: Reading) -> Iterator[DayPoint]:
    for heard, sentence in _stated(reading):
        if weighed(heard, sentence)[0] == "decision":
            yield _point("Decisions", heard, sentence, DECISION)


def _goals(reading: Reading) -> Iterator[DayPoint]:
    for heard, sentence in _stated(reading):
        cues, low = heard.cues, sentence.low
        idle = cues.hypothetical.search(low) or cues.withdrawn.search(low)
        if cues.goal.search(low) and not idle and sentence.terms:
            yield _point("Goals", heard, sentence, GOAL)


def _stated(reading: Reading) -> Iterator[tuple[Heard, Sentence]]:
    """What the user says and does not ask."""
    for heard in reading.heard:
        if heard.speaker == "user":
            said = (one for one in heard.sentences if not one.asks and one.size >= _FEW)
            yield from ((heard, one) for one in said)


def _point(section: Section, heard: Heard, sentence: Sentence, kind: str) -> DayPoint:
    source = SummarySource(
        message_id=heard.message.id,
        quote=sentence.text,
        turn=heard.message.turn_number,
        kind=kind,
        by=heard.speaker,
    )
    return DayPoint(section=section, text=flat(sentence.text), sources=[source])


# -- the narrative -------------------------------------------------------------------------------


def _narrative(
    story: DayStory, reading: Reading, told: Sequence[DayPoint], sized: Sized, room: int
) -> list[DayPoint]:
    """The sentences that tell most of what no other line tells, in the order of the day."""
    kept = list(story.before) if story.stays else []
    others = [_as_line(point, reading) for point in (*told, *kept)]
    own = [*_lines_before(story, reading), *_lines(reading, [*told, *kept])]
    lines = [*others, *own]
    costs = [0] * len(others) + [sized.count(line.text) + 1 for line in own]
    sure = range(len(others))  # they stand elsewhere, and take no room here
    numbers = chosen(lines, alike(lines, story.messages, {}), costs, room, sure) if own else []
    best = sorted((lines[number] for number in numbers if number >= len(others)), key=_when)
    points = [_said(line) for line in best] or list(_beginnings(story.messages, told, sized))
    return _once(points, told)


def _lines_before(story: DayStory, reading: Reading) -> list[Line]:
    if story.stays:
        return []
    spoken = reading.language
    told = enumerate(_before(story, "Summary"))
    return [line_before(point, n, content(point.text, spoken)) for n, point in told]


def _lines(reading: Reading, told: Sequence[DayPoint]) -> list[Line]:
    """The sentences that no line tells, and that are nothing else in Markdown."""
    quotes = _quotes(told)
    free = [line for line in reading.lines if not _SYNTAX.match(line.text)]
    free = [line for line in free if not _overlaps(line, quotes)]
    own = [line for line in free if line.sources[0].by == "user" and _tells(line)]
    free = own if len(own) > 1 else free  # replies are told of when the user says little
    best = sorted(free, key=lambda line: -line.weight * (1 + line.worth))[:_MOST_LINES]
    return list({same(line.text): line for line in best}.values())


def _tells(line: Line) -> bool:
    return line.worth > 0 or len(line.terms) >= _FEW


def _quotes(told: Sequence[DayPoint]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for point in told:
        for source in point.sources:
            found.setdefault(source.message_id, []).append(flat(source.quote or ""))
    return found


def _overlaps(line: Line, quotes: dict[str, list[str]]) -> bool:
    said = quotes.get(line.sources[0].message_id, [])
    return any(quote and (quote in line.text or line.text in quote) for quote in said)


def _as_line(point: DayPoint, reading: Reading) -> Line:
    return line_before(point, 0, content(point.text, reading.language))


def _said(line: Line) -> DayPoint:
    return DayPoint(section="Summary", text=line.text, sources=list(line.sources))


def _when(line: Line) -> tuple[int, int, int]:
    turn = max((source.turn for source in line.sources), default=0)
    return turn, *line.place


def _first(message: Message) -> str:
    """The first line of a message; none, if it tells a secret."""
    line = message.content.strip().partition("\n")[0][:_FIRST]
    return "" if tells_secret(line) else line


def _beginnings(
    messages: Sequence[Message], told: Sequence[DayPoint], sized: Sized
) -> Iterator[DayPoint]:
    """How the first messages begin, when nothing in any of them tells more, nor any other line."""
    offered = [one for one in messages if _first(one) and not is_syntax(one.content)]
    own = [one for one in offered if one.role == "user"] or offered
    for message in own[:_FEW] if not told else ():
        quote = sized.clip(_first(message))
        source = SummarySource(
            message_id=message.id,
            quote=quote,
            turn=message.turn_number,
            kind=SAID,
            by=message.role,
        )
        yield DayPoint(section="Summary", text=flat(quote), sources=[source])


def is_syntax(text: str) -> bool:
    """Whether a line with these words would mean something else in Markdown."""
    return bool(_SYNTAX.match(text))


def _wordless(story: DayStory) -> Iterator[DayPoint]:
    for message in () if story.stays else story.messages[:1]:
        source = SummarySource(message_id=message.id, turn=message.turn_number, kind=SAID)
        yield DayPoint(section="Summary", text=_WORDLESS, sources=[source])


# -- as many as have room ------------------------------------------------------------------------


def _once(points: Iterable[DayPoint], told: Sequence[DayPoint]) -> list[DayPoint]:
    """Those that no other line tells; of what was said several times, the last."""
    known = {same(_quoted(point)) for point in told} | {same(point.text) for point in told}
    once = {same(_quoted(point)): point for point in points}
    return [point for text, point in once.items() if text not in known]


def _quoted(point: DayPoint) -> str:
    quotes = [source.quote for source in point.sources if source.quote]
    return flat(quotes[0]) if quotes else point.text


def _newest(points: Sequence[DayPoint], room: int, count: Count) -> list[DayPoint]:
    """As many of the last ones as have room, in their order."""
    kept: list[DayPoint] = []
    for point in reversed(points):
        cost = count(point.line) + 1
        if cost <= room:
            room -= cost
            kept.append(point)
    return kept[::-1]


def _within(points: Sequence[DayPoint], count: Count) -> list[DayPoint]:
    """Without the last sentences of the narrative, if all together are too long."""
    kept = list(points)
    while len(kept) > 1 and count(DaySummary(kept).text) > MOST_TOKENS:
        told = [n for n, point in enumerate(kept) if point.section == "Summary"]
        kept.pop(told[-1] if told else -1)
    return kept
