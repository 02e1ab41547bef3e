"""Naming: titles and topics, in the words of the conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from palaver.digest.casing import title_case
from palaver.digest.offline.lines import spoken_most
from palaver.digest.offline.odd import READ, names
from palaver.digest.offline.titles import BARE, Candidate, candidates
from palaver.digest.offline.unspaced import clauses, is_unspaced
from palaver.digest.offline.wording import about, both
from palaver.digest.port import MOST_TITLE, MOST_TOPICS, TITLE_WORDS, Naming
from palaver.digest.state.confided import tells_secret
from palaver.digest.state.heard import Heard
from palaver.index.records import Message, SummarySource
from palaver.text.scripts import MARK, UNSPACED

_OFFERED = 8
"""So many titles are offered."""
_PAIRED = 4
_TOPIC_WORDS = 3
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARK}{UNSPACED}])*")


class _Name(NamedTuple):
    text: str
    sources: tuple[SummarySource, ...]


def named(heard: Sequence[Heard], messages: Sequence[Message]) -> Naming:
    """What a conversation may be called, and what it is about."""
    titles, topics = _of_clauses(heard) if is_unspaced(heard) else _of_phrases(heard)
    if not titles:
        titles = _once(_of_odd(messages), _OFFERED)
    if not topics:
        first = titles[0]
        quotes = (_kebab(source.quote or "") for source in first.sources)
        topics = [_Name(next(filter(None, quotes), _kebab(first.text)), first.sources)]
    sources = [*_numbered(titles, "title"), *_numbered(topics, "topic")]
    return Naming([one.text for one in titles], [one.text for one in topics], sources)


def _numbered(named: Sequence[_Name], kind: str) -> Iterator[SummarySource]:
    for number, one in enumerate(named):
        for source in one.sources:
            yield source.model_copy(update={"kind": kind, "point": number})


# -- from phrases ----------------------------------------------------------------------------


def _of_phrases(heard: Sequence[Heard]) -> tuple[list[_Name], list[_Name]]:
    found = candidates(heard)
    language = spoken_most(heard)
    topics = (
        _Name(_kebab(" ".join(one.telling[:_TOPIC_WORDS])), (_source(one, heard),)) for one in found
    )
    return _once(_titles(found, heard, language), _OFFERED), _once(topics, MOST_TOPICS)


def _titles(found: Sequence[Candidate], heard: Sequence[Heard], language: str) -> Iterator[_Name]:
    """The candidates as titles, then the best of them in pairs. A single word comes with another,
    or by itself where there is none."""
    nouns = [one for one in found if _pairs(one, language)]
    options = tuple((one,) for one in found)
    if found and found[0].lone:
        others = [other for other in nouns[:2] if other is not found[0]]
        options = (*((found[0], other) for other in others), *options)
        if not others:
            yield from _lone(found[0], heard, language)
    for parts in (*options, *combinations(nouns[:_PAIRED], 2)):
        title = title_case(_joined(parts, language), language)
        if _fits(title):
            yield _Name(title, tuple(_source(one, heard) for one in parts))


def _pairs(one: Candidate, language: str) -> bool:
    """Whether it may be named beside another: a noun, and no pair itself. Where nouns are not known
    by themselves, a sentence may begin with a verb, and its capital says nothing."""
    opens = language not in BARE and one.parts[0].tokens[0].start == 0
    return one.is_noun and not opens and both(language) not in one.words(language)


def _lone(one: Candidate, heard: Sequence[Heard], language: str) -> Iterator[_Name]:
    title = about(title_case(one.words(language), language), language)
    if _fits(title):
        yield _Name(title, (_source(one, heard),))


def _joined(parts: Sequence[Candidate], language: str) -> list[str]:
    words = parts[0].words(language)
    for part in parts[1:]:
        words += [both(language), *part.words(language)]
    return words


def _source(one: Candidate, heard: Sequence[Heard]) -> SummarySource:
    return _source_of(heard[one.parts[0].heard].message, one.quote)


# -- from clauses, and from what there is ----------------------------------------------------


def _of_clauses(heard: Sequence[Heard]) -> tuple[list[_Name], list[_Name]]:
    """In a script without spaces the clauses are titles, and topics."""
    found = _once(
        (_Name(one, (_source_of(heard[n].message, one),)) for n, one in clauses(heard)), _OFFERED
    )
    topics = (_Name(_kebab(one.text), one.sources) for one in found)
    return found, _once(topics, MOST_TOPICS)


def _of_odd(messages: Sequence[Message]) -> Iterator[_Name]:
    for odd in names([one for one in messages if not tells_secret(one.content[:READ])]):
        if _fits(odd.title):
            sources = (_source_of(odd.message, odd.quote),) if odd.message else ()
            yield _Name(odd.title, sources)


def _once(names: Iterable[_Name], most: int) -> list[_Name]:
    """The first of some names, without empty ones and without any twice."""
    found: dict[str, _Name] = {}
    for name in names:
        if len(found) == most:
            break
        if name.text:
            found.setdefault(name.text.casefold(), name)
    return list(found.values())


def _source_of(message: Message, quote: str) -> SummarySource:
    turn, by = message.turn_number, message.role
    return SummarySource(message_id=message.id, quote=quote, turn=turn, by=by)


def _fits(title: str) -> bool:
    least, most = TITLE_WORDS
    return least <= len(title.split()) <= most and len(title) <= MOST_TITLE


def _kebab(text: str) -> str:
    return "-".join(_WORD.findall(text.casefold()))
