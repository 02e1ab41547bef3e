"""Evidence: which of the things found are worth quoting as an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from palaver.agent.lists import word_set
from palaver.agent.offline.quotation import Quotation, is_question, quote
from palaver.index.values import OFFLINE
from palaver.recall.results import Hit
from palaver.text import Term, fold, query_terms

MAX_QUOTATIONS = 3
_READ = 50
"""How many of the best messages are read for quotations."""
_LANGUAGES = ("en", "de")
_WEAKEST = 0.35
"""How far behind the best quotation another may stay."""
_REQUESTS = word_set(
    """
    discuss discussed find know many mention mentioned much recall remember remind said say show
    talk talked tell
    besprochen erinnerst erinnere erzähl erzählt finde gesagt gesprochen sagte sagten such suche
    viel viele weißt zeig zeige
    """
)


class Candidate(NamedTuple):
    """Something that could be quoted, and how well it fits."""

    quotation: Quotation
    weight: float


def search_words(text: str) -> list[str]:
    """What a message asks about: not the words that only say that it asks."""
    found = [term.word for term in query_terms(text, _LANGUAGES)]
    return [word for word in found if word not in _REQUESTS] or found


def telling_words(text: str) -> list[str]:
    """The words of `text` that tell what it is about; none, when it is about nothing in
    particular."""
    found = query_terms(text, _LANGUAGES, telling=True)
    return [term.word for term in found if term.word not in _REQUESTS]


def best_quotations(
    terms: Sequence[Term], hits: Iterable[Hit], *, but: Collection[str]
) -> list[Quotation]:
    """The best quotations for an answer: statements, or else questions, never the same text twice.

    The offline assistant is never quoted, nor are the messages named in `but`.
    """
    usable = [hit for hit in hits if hit.message.id not in but and hit.message.model != OFFLINE]
    found = list(_candidates(usable[:_READ], terms))
    statements = [one for one in found if not _asks(one.quotation)]
    chosen = statements or [one for one in found if not _repeats(one.quotation, terms)]
    chosen.sort(key=_newest, reverse=True)
    chosen.sort(key=lambda one: -one.weight)
    best = [one.quotation for one in chosen if one.weight >= _WEAKEST * chosen[0].weight]
    return _distinct(best if terms else _in_turn(best))


def _candidates(hits: Iterable[Hit], terms: Sequence[Term]) -> Iterator[Candidate]:
    for hit in hits:
        found = quote(hit.message, terms)
        if found and len(found.held) >= _enough(len(terms)):
            share = len(found.held) / len(terms) if terms else 1.0
            yield Candidate(found, hit.score * share)


def _enough(words: int) -> int:
    """How many of the words a quotation must hold to have to do with them."""
    return min(ceil(words * 0.4), 4)


def _asks(quotation: Quotation) -> bool:
    return is_question(quotation.text) or is_question(quotation.message.content)


def _repeats(quotation: Quotation, terms: Sequence[Term]) -> bool:
    """Whether it is the same question as the one to be answered."""
    asked = {fold(term.word) for term in terms}
    return {fold(word) for word in search_words(quotation.message.content)} <= asked


def _newest(candidate: Candidate) -> tuple[str, str]:
    return candidate.quotation.message.timestamp, candidate.quotation.message.id


def _in_turn(quotations: Iterable[Quotation]) -> list[Quotation]:
    """One of each conversation, then another of each, and so on: nothing in particular was asked
    about, so all of them have to do with it."""
    taken: dict[str, int] = {}
    ranked: list[tuple[int, Quotation]] = []
    for quotation in quotations:
        place = quotation.message.conversation_id
        taken[place] = taken.get(place, 0) + 1
        ranked.append((taken[place], quotation))
    return [quotation for _, quotation in sorted(ranked, key=lambda one: one[0])]


def _distinct(quotations: Iterable[Quotation]) -> list[Quotation]:
    found: dict[str, Quotation] = {}
    for quotation in quotations:
        found.setdefault(fold(" ".join(quotation.text.split())), quotation)
    return list(found.values())[:MAX_QUOTATIONS]
