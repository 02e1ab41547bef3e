"""Clauses: the parts of a message that say one thing each, and where they stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from palaver.digest.state.sentences import asks
from palaver.memory.cues import Cues
from palaver.memory.offline.levels import level
from palaver.text import sentence_spans

_WORD = re.compile(r"\w")
_MARKER = re.compile(r"\s*(?:[-*\u2022\u2013]\s+|\d{1,2}[.)]\s+)?(?:\[[ xX]\]\s+)?")
_RUN_ON = 22
"""A sentence of more words may be several that nothing parts."""
_TRIM = " \t\n\r,;:-\u2013\u2014*\u2022\"'"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a message."""

    start: int
    end: int
    low: str
    """Without case and diacritics; every character keeps its place."""
    asks: bool
    listed: bool
    first: bool
    """Whether a paragraph begins with it."""


def sentences(own: str) -> Iterator[Stretch]:
    """The sentences of a message, or what is left of them."""
    low, before = level(own), 0
    for start, end in sentence_spans(own):
        if not _WORD.search(own, start, end):
            continue
        marker = _MARKER.match(own, start, end)
        begin = marker.end() if marker else start
        stop = begin + len(own[begin:end].rstrip())
        yield Stretch(
            begin,
            stop,
            low[begin:stop],
            asks=asks(low[begin:stop]),
            listed=bool(marker and marker[0].strip()),
            first="\n\n" in own[before:begin],
        )
        before = stop


def clauses(sentence: Stretch, cues: Cues) -> list[Stretch]:
    """The clauses of a sentence that can stand alone. Of a question, those before it."""
    asking = sentence.asks and not cues.polite.search(sentence.low)
    patterns = [cues.joint]
    if asking:
        patterns.append(cues.question)
    if sentence.low.count(" ") > _RUN_ON:
        patterns.append(cues.runon)
    cuts = _apart(found.span() for one in patterns for found in one.finditer(sentence.low))
    if cues.condition.match(sentence.low):
        cuts = cuts[1:]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(sentence.low)]
    found = [part(sentence, start, end) for start, end in zip(starts, ends, strict=True)]
    if asking:
        found = found[:-1]
    return [one for one in found if one.low and not (asks(one.low) and one is not found[0])]


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, without those that begin inside another."""
    found: list[tuple[int, int]] = []
    for span in sorted(spans):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


def part(whole: Stretch, start: int, end: int) -> Stretch:
    """A part of a stretch, without what stands around its words."""
    low = whole.low[start:end]
    begin = start + len(low) - len(low.lstrip(_TRIM))
    stop = start + len(low.rstrip(_TRIM))
    return Stretch(
        whole.start + begin,
        whole.start + max(begin, stop),
        whole.low[begin:stop],
        asks=False,
        listed=whole.listed,
        first=whole.first,
    )


def without_lead(clause: Stretch, cues: Cues) -> Stretch:
    """A clause without what opens it and says nothing."""
    lead = cues.lead.match(clause.low)
    return part(clause, lead.end(), len(clause.low)) if lead else clause
