"""Checking a name: a title that says what a conversation is about, and its topics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from palaver.digest.casing import title_case
from palaver.digest.model.answer import Answer, Fault
from palaver.digest.model.checking import distinct
from palaver.digest.model.sheet import Entry, Sheet
from palaver.digest.port import MOST_TITLE, MOST_TOPICS, TITLE_WORDS, Naming
from palaver.digest.state.content import content
from palaver.index.records import SummarySource
from palaver.text.words import is_unspaced

_LABEL = re.compile(r"^(?:title|titel|titre|título|titolo)\s*:\s*", re.IGNORECASE)
_AROUND = " \"'“”„\u2018\u2019«»*_#`"
_EMPTY = """
chat chatting conversation discussion exchange general greeting greetings help inquiry introduction
question questions quick request session short small talk thread topic topics untitled various
"""
"""Words that could stand in the title of any conversation."""
_LONGEST_TOPIC = 40
_WORD = re.compile(r"[^\W_]+")


def naming_of(answer: Answer, sheet: Sheet) -> tuple[Naming, list[Fault]]:
    """The name, and what is wrong with it."""
    title = titled(_bare(answer.title), sheet)
    topics = [topic for topic in _topics(answer.topics) if not sheet.figures.lacks(topic)]
    sources = _sources(answer, sheet, f"{title} {' '.join(topics)}")
    naming = Naming([title], topics[:MOST_TOPICS], sources)
    return naming, list(_faults(title, topics, sheet))


def titled(title: str, sheet: Sheet) -> str:
    """A title as its language writes it."""
    words = title.split()
    if sheet.language == "en":
        words = [word.lower() if _is_shouted(word, sheet) else word for word in words]
    return title_case(words, sheet.language) if words else ""


def _is_shouted(word: str, sheet: Sheet) -> bool:
    """Whether a word has capitals that nobody gave it."""
    shouted = len(word) > 1 and word.isalpha() and word.isupper()
    return shouted and not any(word in entry.text for entry in sheet.entries)


def _bare(title: str) -> str:
    line = _LABEL.sub("", " ".join(title.split()).strip(_AROUND))
    return line.strip(_AROUND).rstrip(".,;:!")


def _topics(told: Sequence[str]) -> list[str]:
    """The topics in kebab case, each once."""
    kebab = ("-".join(_WORD.findall(topic.casefold())) for topic in told)
    return list(dict.fromkeys(topic for topic in kebab if 0 < len(topic) <= _LONGEST_TOPIC))


def _sources(answer: Answer, sheet: Sheet, name: str) -> list[SummarySource]:
    """What the model says that the name stands on, and where its words were said. A model that
    does not tell has read all of it."""
    told = [entry for one in answer.messages if (entry := sheet.entry(one))] or sheet.entries
    entries = [*told, *_said_first(sheet, content(name, sheet.language))]
    return distinct(
        source.model_copy(update={"quote": None, "point": None})
        for entry in entries
        for source in entry.sources
    )


def _said_first(sheet: Sheet, stems: frozenset[str]) -> Iterator[Entry]:
    for stem in sorted(stems):
        place = next((n for n, held in enumerate(sheet.stems) if stem in held), None)
        if place is not None:
            yield sheet.entries[place]


def _faults(title: str, topics: Sequence[str], sheet: Sheet) -> Iterator[Fault]:
    yield from _shape_faults(title)
    if not _tells(title, sheet):
        yield Fault(
            "The title does not say what the conversation is about.",
            "Use a word that was said: a thing, a name, a task. No greeting, no general word.",
        )
    if invented := sheet.figures.lacks(title):
        yield Fault("The title has numbers or names that were not said.", ", ".join(invented))
    if not topics:
        yield Fault("It has no topics.", "Give one to five, such as server-monitoring.")


def _shape_faults(title: str) -> Iterator[Fault]:
    least, most = TITLE_WORDS
    size = len(title.split())
    if size > most or (size < least and not any(map(is_unspaced, title[:1]))):
        yield Fault(f"The title has {size} words, not {least} to {most}.")
    if len(title) > MOST_TITLE or not title.isprintable():
        yield Fault(f"The title is not one line of at most {MOST_TITLE} characters.")


def _tells(title: str, sheet: Sheet) -> bool:
    """Whether a telling word of the title was said. Where nothing telling was said at all, any
    title does that is no greeting itself."""
    stems, held = content(title, sheet.language), frozenset[str]().union(*sheet.stems)
    telling = held - content(_EMPTY, sheet.language)
    return bool(stems & telling) if telling else bool(stems)
