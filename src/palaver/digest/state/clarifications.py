"""Clarifications: what the assistant must know before it can go on, and whether it was told.

Such a question stands between a request and what was requested. Offers, courtesies and questions
out of interest hold nothing up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from palaver.digest.state.content import plain, share
from palaver.digest.state.heard import Heard
from palaver.digest.state.loops import is_request
from palaver.digest.state.records import Floor, Item
from palaver.digest.state.sentences import Sentence

PATIENCE = 5
"""For so many turns a question stays pending while the conversation is about other things."""
_MOST_SAID = {"request": 25, "question": 12, "": 0}
"""With more words beside the question, what was asked for has been given."""
_OR = re.compile(r"\b(?:or|oder|ou|o|oppure|of)\b")
_EITHER = re.compile(r"\b(?:or|oder|ou)\b")
_DRAFT = 3
_LAST = 8
"""Among so many last sentences of a reply it says what it needs."""
_MOST_STATED = 60
"""In a longer reply, even what it says it needs is asked out of interest."""


def asked_back(heard: Heard, floor: Floor) -> list[Item]:
    """What a reply needs to know first."""
    if floor.drafting and len(heard.sentences) > _DRAFT:
        return []
    found = [one for one in _last_questions(heard) if _is_needed(heard, one, floor)]
    if floor.drafting:
        found = [one for one in found if heard.cues.you.search(one.low)]
    for closer in ("asks", "listed"):  # a list tells better what is needed than its heading
        found = [one for one in found if getattr(one, closer)] or found
    return [heard.item("clarification", one, "user", one.terms) for one in found]


def told(heard: Heard, pending: Sequence[Item]) -> list[Item]:
    """The pending questions that a message of the user answers."""
    if not pending:
        return []
    if settles(heard):
        return list(pending)
    clear = [item for item in pending if _is_evidence(item, heard)]
    if clear and len(heard.statements) < len(pending):
        return clear
    return list(pending) if clear or _may_answer(heard) else []


def _last_questions(heard: Heard) -> Iterator[Sentence]:
    """The questions of a reply after which nothing more is told, and what it says it needs."""
    genuine = list(heard.questions())
    for place, sentence in list(enumerate(heard.sentences))[-_LAST:]:
        after = heard.sentences[place + 1 :]
        ends = all(one.asks or one.listed or heard.cues.agreed.search(one.low) for one in after)
        wants = sentence in genuine if sentence.asks else _is_stated(heard, sentence)
        if wants and (ends or _is_stated(heard, sentence)):
            yield sentence


def _is_stated(heard: Heard, sentence: Sentence) -> bool:
    brief = heard.told <= _MOST_STATED and not sentence.listed
    return brief and bool(heard.cues.need.search(sentence.low))


def _is_needed(heard: Heard, sentence: Sentence, floor: Floor) -> bool:
    cues, low, asks = heard.cues, sentence.low, floor.asks or _agreed(heard)
    if cues.suggestion.search(low) or (heard.told and cues.courtesy.search(low)):
        return False
    if cues.choice.search(low):
        return True
    if cues.offer.search(low) and not cues.need.search(low):
        return floor.asks == "request" and _is_confirmation(sentence, floor)
    if not asks:
        only = not heard.statements and bool(_EITHER.search(low))
        return sentence.asks and (only or _is_stated(heard, sentence))
    return _is_stated(heard, sentence) or heard.told <= _MOST_SAID[asks]


def _agreed(heard: Heard) -> Literal["", "request"]:
    """What a reply shows to have been asked: it says yes, and then does nothing but ask."""
    yes = any(heard.cues.agreed.search(one.low) for one in heard.statements)
    return "request" if yes and not heard.told else ""


def _is_confirmation(sentence: Sentence, floor: Floor) -> bool:
    """Whether an offer is about the request itself, or leaves a choice."""
    return share(sentence.terms, floor.terms) > 0 or bool(_OR.search(sentence.low))


def settles(heard: Heard) -> bool:
    """Whether a message says yes, no or which, and so answers whatever was asked."""
    first = heard.sentences[0] if heard.sentences else None
    if first is None or first.asks or heard.cues.unready.search(first.low):
        return False
    return bool(heard.cues.settles.search(first.low)) and not heard.cues.aside.search(first.low)


def _is_evidence(item: Item, heard: Heard) -> bool:
    """Whether a message holds the content of a question, or the kind of answer it wants."""
    if any(heard.cues.unready.search(one.low) for one in heard.statements):
        return False
    terms = frozenset[str]().union(*(one.terms for one in heard.statements))
    if share(item.terms, terms) > 0:
        return True
    said = " ".join(one.low for one in heard.statements)
    return bool(heard.cues.counts.search(plain(item.text)) and heard.cues.number.search(said))


def _may_answer(heard: Heard) -> bool:
    """Whether a message, with nothing that shows it, is an answer: it does nothing else."""
    cues = heard.cues
    if not heard.statements or any(heard.questions()):
        return False
    return not any(
        cues.unready.search(one.low) or cues.aside.search(one.low) or is_request(heard, one)
        for one in heard.statements
    )
