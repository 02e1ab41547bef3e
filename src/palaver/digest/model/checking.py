"""Checking points: each says what was said, stands on messages that are there, and quotes them
word for word; all of them together are neither too long nor too short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from palaver.digest.model.answer import Fault, Told
from palaver.digest.model.sheet import Entry, Sheet
from palaver.digest.port import LEAST_TOKENS, LONG_SOURCE, MOST_TOKENS, Abbreviation, Point
from palaver.index.records import SummarySource
from palaver.text import whole_character

_BULLET = re.compile(r"^(?:[-*•]\s+)+")
_AROUND = " \t\n\"'“”„\u2018\u2019«»…"
_APOSTROPHES = "['\u2018\u2019]"
_APOSTROPHE = re.compile(_APOSTROPHES)
_DOTS = re.compile(r"^\.{3}|\.{3}$")
_LONGEST_QUOTE = 300


def points_of(told: Sequence[Told], sheet: Sheet) -> tuple[Abbreviation, list[Fault]]:
    """The points, and what is wrong with them."""
    points, wrong = lines_of(told, sheet)
    made = Abbreviation(points)
    return made, [*wrong, *_size_faults(made, sheet)]


def lines_of(told: Sequence[Told], sheet: Sheet) -> tuple[list[Point], list[Fault]]:
    """Points however long they are, and what is wrong with each of them."""
    kept = [one for one in told if line(one.text)]
    points = [_point(one, number, sheet) for number, one in enumerate(kept)]
    return points, [fault for n, one in enumerate(kept, 1) for fault in _faults(one, n, sheet)]


def distinct(sources: Iterable[SummarySource]) -> list[SummarySource]:
    """Each message once for each quotation, and never without one where it is quoted, too."""
    found = {(one.message_id, one.quote): one for one in sources}
    said = {one.message_id for one in found.values() if one.quote}
    return [one for one in found.values() if one.quote or one.message_id not in said]


def _point(told: Told, number: int, sheet: Sheet) -> Point:
    quote = bare(told.quote)
    sources = (source for entry in _named(told, sheet) for source in _sources(entry, quote))
    marked = [source.model_copy(update={"point": number}) for source in distinct(sources)]
    return Point(text=line(told.text), sources=marked)


def _named(told: Told, sheet: Sheet) -> list[Entry]:
    return [entry for one in told.messages if (entry := sheet.entry(one))]


def _sources(entry: Entry, quote: str) -> Iterator[SummarySource]:
    found = located(quote, entry.text) if quote and entry.kind == "said" else ""
    for source in entry.sources:
        yield source.model_copy(update={"quote": found}) if found else source


def _faults(told: Told, number: int, sheet: Sheet) -> Iterator[Fault]:
    missing = [one for one in told.messages if sheet.entry(one) is None]
    if missing or not told.messages:
        there = f"The numbers go from 1 to {len(sheet.entries)}."
        yield Fault(f"Point {number} does not name messages that exist.", there)
    quote = bare(told.quote)
    if quote and not any(located(quote, entry.words) for entry in _named(told, sheet)):
        copy = "Copy it from one of the messages, or leave it empty."
        yield Fault(f"The quotation of point {number} does not stand in its messages.", copy)
    if invented := sheet.figures.lacks(told.text):
        listed = f"Write them as they were said, or leave them out: {', '.join(invented)}."
        yield Fault(f"Point {number} has numbers or names that were not said.", listed)


def _size_faults(made: Abbreviation, sheet: Sheet) -> Iterator[Fault]:
    size = sheet.count(made.text)
    if not made.points:
        yield Fault("It has no points.")
    elif size > MOST_TOKENS:
        share = f"Leave out or shorten about {round(100 - 90 * MOST_TOKENS / size)} % of it."
        yield Fault(f"All points together are too long: {size} tokens of {MOST_TOKENS}.", share)
    elif size < LEAST_TOKENS and sheet.tokens > LONG_SOURCE:
        more = "Tell more of what was said."
        yield Fault(f"All points together are too short: {size} tokens of {LEAST_TOKENS}.", more)


def located(quote: str, text: str) -> str:
    """The quotation as it stands in `text`, white space and the shape of its apostrophes apart; ""
    when it does not."""
    wanted = _APOSTROPHE.sub("'", quote).split()
    found = re.search(r"\s+".join(map(re.escape, wanted)).replace("'", _APOSTROPHES), text)
    return found[0][: whole_character(found[0], _LONGEST_QUOTE)] if found else ""


def bare(quote: str | None) -> str:
    """A quotation without the marks around it."""
    return _DOTS.sub("", (quote or "").strip(_AROUND)).strip(_AROUND)


def line(text: str) -> str:
    """A text as one line, without a bullet before it."""
    return _BULLET.sub("", " ".join(text.split())).strip()
