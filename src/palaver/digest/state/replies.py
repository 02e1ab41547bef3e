"""Replies: which of the things that were asked a reply gives."""

from __future__ import annotations

import re

from palaver.digest.state.content import plain, share
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import Item

_SHORT = 30
"""A reply with more words says more than that it does not know."""
_BARE = 12
"""A reply with more words than these gives something, if only in quotation marks."""
_MOST_ASKED = 4
"""Nobody can tell which of more questions a reply leaves out."""
_PART = re.compile(r"[;]|, and |, but ")
_INDIRECT = re.compile(
    r"\b(?:what|when|where|who|which|how|why|whether|if|was|wann|wo|wer|wie|welche\w*|warum|ob|quand"
    r"|quel\w*|ou|qui|comment|combien|cuando|donde|quien|como|cuant\w+|cual)\b"
)
_OF_YOU = re.compile(r"\b(?:can|could|would|will) (?:you|u)\b")


def left_open(heard: Heard, asked: list[Item]) -> list[Item]:
    """The things asked that a reply leaves open, if it gives any of them."""
    if _only_agrees(heard):
        return [item for item in asked if not _agreed_to(item, heard)]
    if _knows_not(heard):
        return [item for item in asked if _wants_to_know(item)]
    if not 2 <= len(asked) <= _MOST_ASKED:
        return []
    texts = [item.text for item in asked]
    given = [
        item
        for item in asked
        if not item.terms or _is_given(item, heard, alone=texts.count(item.text) == 1)
    ]
    if not heard.statements:  # all of it is a text that was asked for
        given = [item for item in asked if item.kind == "request"]
    parts = sum(len(_PART.split(sentence.low)) for sentence in heard.statements)
    spare = 0 if len(set(texts)) == 1 else 1
    if not given or parts >= len(asked) + spare:
        return []
    return [item for item in asked if item not in given]


def knows_not(heard: Heard) -> bool:
    """Whether a reply says no more than that it has no answer."""
    return _knows_not(heard)


def only_agrees(heard: Heard) -> bool:
    """Whether a reply says yes, and nothing else."""
    return _only_agrees(heard)


def _only_agrees(heard: Heard) -> bool:
    cues = heard.cues
    if not heard.sentences or len(heard.message.content.split()) > _BARE:
        return False
    return all(cues.agreed.search(one.low) and one.size <= 6 for one in heard.sentences)


def _wants_to_know(item: Item) -> bool:
    """Whether it is a question, if only inside a request."""
    return item.kind == "question" or bool(_INDIRECT.search(plain(item.text)))


def _agreed_to(item: Item, heard: Heard) -> bool:
    """Whether a mere yes is the answer: to a question of fact, not to a request."""
    low = plain(item.text)
    if item.kind != "question" or _OF_YOU.search(low):
        return False
    return bool(heard.cues.yes_no.search(low)) or not heard.terms.issubset(item.terms)


def _knows_not(heard: Heard) -> bool:
    if not heard.sentences or sum(one.size for one in heard.sentences) > _SHORT:
        return False
    return bool(heard.cues.non_answer.search(heard.sentences[0].low))


def _is_given(item: Item, heard: Heard, *, alone: bool) -> bool:
    """Whether a reply holds the content of a question, or the kind of answer it wants.

    The kind tells nothing of one that is not alone in its sentence.
    """
    if share(item.terms, heard.terms) > 0:
        return True
    if not alone:
        return False
    low, cues = plain(item.text), heard.cues
    said = " ".join(sentence.low for sentence in heard.statements)
    if cues.counts.search(low):
        return bool(cues.number.search(said))
    return bool(cues.yes_no.search(low) and cues.affirms.search(said))
