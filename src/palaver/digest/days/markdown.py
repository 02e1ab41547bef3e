"""The Markdown of a day summary: read line by line, and carried on under the words of its owner."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from palaver.digest.days.port import (
    HEADING,
    OPEN,
    SECTIONS,
    DayPoint,
    DayText,
    Section,
    same,
    written,
)
from palaver.index.records import StoredSummary, SummarySource

_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_NAMED: dict[str, Section] = {section.casefold(): section for section in SECTIONS}

_Line = tuple[str, Sequence[SummarySource]]


def day_points(summary: StoredSummary) -> list[DayPoint]:
    """The lines of a stored summary that tell something, under their headings. What stands under
    none of the five, because its owner wrote it so, belongs to the first."""
    found: list[DayPoint] = []
    by_line = _by_line(summary.sources)
    section: Section = "Summary"
    for number, line in enumerate(summary.text.split("\n")):
        if heading := _HEADING.match(line.strip()):
            section = _NAMED.get(heading[1].casefold(), "Summary")
        elif text := _MARK.sub("", line).strip():
            sources = by_line.get(number, [])
            found.append(DayPoint(section=section, text=text, sources=sources))
    return found


def carried_on(
    before: StoredSummary, points: Sequence[DayPoint], over: Set[str] = frozenset()
) -> DayText:
    """The text of a summary as it stands, word for word, with more lines: each at the end of its
    section, which is made where there is none. Lines that say what is open go if they are among
    those that are `over`."""
    by_line = _by_line(before.sources)
    lines: list[_Line] = [
        (line, by_line.get(number, [])) for number, line in enumerate(before.text.split("\n"))
    ]
    kept = [line for line in lines if not _is_over(line, over)]
    lines = lines if len(kept) == len(lines) else list(_filled(kept))
    return written(_added_to(lines, points))


def renewed(
    before: StoredSummary, points: Sequence[DayPoint], stays: Callable[[str], bool]
) -> DayText:
    """The lines of a summary that stay, in their order and under their headings, and more lines at
    the end of each section."""
    by_line = _by_line(before.sources)
    kept: list[_Line] = [
        (line, by_line.get(number, []))
        for number, line in enumerate(before.text.split("\n"))
        if not (text := _MARK.sub("", line).strip()) or _HEADING.match(text) or stays(text)
    ]
    lines = _added_to(list(_filled(kept)), points)
    return written([*_spaced(lines)])


def _added_to(lines: list[_Line], points: Sequence[DayPoint]) -> list[_Line]:
    for section in SECTIONS:
        added: list[_Line] = [
            (point.line, point.sources) for point in points if point.section == section
        ]
        if added:
            lines = _with(lines, section, added)
    return lines


def _spaced(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Lines with at most one empty one between them."""
    while lines and not lines[-1][0].strip():
        lines = lines[:-1]
    empty = True
    for line in lines:
        is_empty = not line[0].strip()
        if not (empty and is_empty):
            yield line
        empty = is_empty


def _is_over(line: _Line, over: Set[str]) -> bool:
    text, sources = line
    return any(one.kind == OPEN for one in sources) and same(_MARK.sub("", text)) in over


def _filled(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Lines without those of the five headings under which nothing is left."""
    for number, line in enumerate(lines):
        under = (one for one, _ in lines[number + 1 :] if one.strip())
        following = next(under, HEADING)
        if _section(line[0]) is None or not _HEADING.match(following.strip() + " "):
            yield line


def is_new(point: DayPoint, before: StoredSummary) -> bool:
    """Whether no line of a summary says the same."""
    return same(point.text) not in {same(one.text) for one in day_points(before)}


def _with(lines: list[_Line], section: Section, added: list[_Line]) -> list[_Line]:
    start = next((n for n, (line, _) in enumerate(lines) if _section(line) == section), None)
    if start is None:
        place = _place(lines, section)
        block = [(f"{HEADING}{section}", ()), *added]
        head, rest = lines[:place], lines[place:]
        before = [("", ())] if any(line.strip() for line, _ in head) else []
        if head and not head[-1][0].strip():
            before = []
        return [*head, *before, *block, *([("", ()), *rest] if rest else [])]
    end = next(
        (n for n in range(start + 1, len(lines)) if _HEADING.match(lines[n][0].strip())),
        len(lines),
    )
    while end > start + 1 and not lines[end - 1][0].strip():
        end -= 1
    return [*lines[:end], *added, *lines[end:]]


def _place(lines: Sequence[_Line], section: Section) -> int:
    """Where a section belongs that is not there: before the first one that comes after it."""
    later = SECTIONS[SECTIONS.index(section) + 1 :]
    return next((n for n, (line, _) in enumerate(lines) if _section(line) in later), len(lines))


def _section(line: str) -> Section | None:
    found = _HEADING.match(line.strip())
    return _NAMED.get(found[1].casefold()) if found else None


def _by_line(sources: Sequence[SummarySource]) -> dict[int, list[SummarySource]]:
    found: dict[int, list[SummarySource]] = {}
    for source in sources:
        found.setdefault(source.point or 0, []).append(source)
    return found


def quoted(points: Sequence[DayPoint]) -> Iterator[SummarySource]:
    """Everything that points stand on."""
    return (source for point in points for source in point.sources)
