"""The lines of a day summary, with the messages that they stand on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from palaver.conversation.day_records import SummaryLine
from palaver.index.records import Json, StoredSummary, SummarySource

_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_SENTENCES = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s*|\n+")
_WORD = re.compile(r"\w+")
_LETTERS = 3
_TELLING = 8
"""A text with fewer traces is too short to be told from others."""
_ALIKE = 0.5
"""A line that has more than so much in common with another one was made from it."""

_Held = tuple[frozenset[str], Sequence[SummarySource]]
_Line = tuple[str, Sequence[SummarySource]]


def summary_lines(summary: StoredSummary) -> list[SummaryLine]:
    """The lines that tell something, under their headings."""
    found: list[SummaryLine] = []
    section = ""
    for number, line in enumerate(summary.text.split("\n")):
        if heading := _HEADING.match(line.strip()):
            section = heading[1]
        elif text := _MARK.sub("", line).strip():
            sources = [source for source in summary.sources if source.point == number]
            found.append(SummaryLine(text=text, section=section, sources=sources))
    return found


def carried_sources(before: StoredSummary | None, markdown: str) -> list[SummarySource]:
    """What the lines of an edited text stand on. Those that stayed as they were keep theirs; one
    that is worded otherwise keeps those of the line it was: their words are still in it, and go
    when the messages are erased."""
    if before is None:
        return []
    held = _by_text(before)
    lines = [_plain(line) for line in markdown.split("\n")]
    changed = [
        (_traces(text), sources)
        for text, several in held.items()
        for sources in several[lines.count(text) :]
        if sources
    ]
    found: list[SummarySource] = []
    for number, line in enumerate(lines):
        same = held.get(line)
        kept = same.pop(0) if same else _nearest(line, changed)
        found += [one.model_copy(update={"point": number}) for one in kept]
    return found


def _nearest(line: str, changed: Sequence[_Held]) -> Sequence[SummarySource]:
    """What the line stands on from which one was made; nothing when it is made from none."""
    traces = _traces(line)
    shares = [(_share(traces, held), sources) for held, sources in changed]
    share, sources = max(shares, key=lambda one: one[0], default=(0.0, ()))
    return sources if share > _ALIKE else ()


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter one is in the other, from 0 to 1."""
    return len(one & other) / (min(len(one), len(other)) or 1)


def _traces(text: str) -> frozenset[str]:
    """A line, three letters at a time: also where there is nothing between words."""
    letters = "".join(text.casefold().split())
    last = max(len(letters) - _LETTERS, 0)
    return frozenset(letters[at : at + _LETTERS] for at in range(last + 1) if letters)


def as_field(source: SummarySource) -> Json:
    """How an event keeps a source."""
    return source.model_dump(by_alias=True, exclude_defaults=True, mode="json")


def _by_text(summary: StoredSummary) -> dict[str, list[Sequence[SummarySource]]]:
    """The sources of each line, by what it says; of equal lines, one after the other."""
    found: dict[str, list[Sequence[SummarySource]]] = {}
    for text, sources in _told(summary):
        found.setdefault(text, []).append(sources)
    return found


def _told(summary: StoredSummary) -> Iterator[tuple[str, Sequence[SummarySource]]]:
    for number, line in enumerate(summary.text.split("\n")):
        yield _plain(line), [one for one in summary.sources if one.point == number]


def _plain(line: str) -> str:
    return _MARK.sub("", line).strip()


def spared(
    page: StoredSummary, gone: Set[str], is_gone: Callable[[str], bool]
) -> tuple[str, list[SummarySource]]:
    """What is left of a page without some messages, and what that stands on: no line that stands on
    one of them, or repeats one, and no heading with nothing under it. Empty without any line."""
    sections: list[list[_Line]] = [[]]
    for number, line in enumerate(page.text.split("\n")):
        sources = [one for one in page.sources if one.point == number]
        if any(one.message_id in gone for one in sources) or is_gone(_plain(line)):
            continue
        if _HEADING.match(line.strip()):
            sections.append([])
        sections[-1].append((line, sources))
    held = [line for section in sections if any(map(_tells, section)) for line in section]
    while held and not held[-1][0].strip():
        held.pop()
    found = [
        source.model_copy(update={"point": number})
        for number, (_, sources) in enumerate(held)
        for source in sources
    ]
    return "\n".join(line for line, _ in held), found


def _tells(line: _Line) -> bool:
    return bool(_plain(line[0])) and not _HEADING.match(line[0].strip())


def repeats(texts: Sequence[str]) -> Callable[[str], bool]:
    """Tells whether a line repeats something of some texts: a sentence in much the same words,
    three words in a row, or a number."""
    parts = [part for text in texts for part in _SENTENCES.split(text)]
    traces = [found for part in parts if len(found := _traces(part)) >= _TELLING]
    said = frozenset(one for text in texts for one in _quotable(text))

    def repeated(line: str) -> bool:
        ours = _traces(line)
        alike = len(ours) >= _TELLING and any(_share(ours, one) > _ALIKE for one in traces)
        return alike or not said.isdisjoint(_quotable(line))

    return repeated


def _quotable(text: str) -> Iterator[str]:
    """Three words in a row each, and words with a number in them."""
    words: list[str] = _WORD.findall(text.casefold())
    yield from (" ".join(words[at : at + 3]) for at in range(len(words) - 2))
    yield from (word for word in words if any(map(str.isdecimal, word)))
