"""Answers: a few words that mean something only with the question before them."""

from __future__ import annotations

import re

from palaver.memory.cues import Cues, Question
from palaver.memory.offline.levels import level
from palaver.memory.port import Candidate, Saying
from palaver.memory.sensitive import sensitive_kind

_MOST = 8
"""An answer of more words says itself what it means."""
_FIRST = re.compile(r"[^.!?\n]+")
_PREPOSITION = re.compile(
    r"(?:in|at|near|as an?|as|it's|its|it is|i'm an?|i'm|an?|in der|im|bei|als|a|en|chez|em|na|no"
    r"|come|como|comme|op|bij)\s+",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:i|we|my|our|ich|wir|mein\w*|je|nous|mon|ma|yo|mi|io|ik|wij|mijn|eu|meu|minha)\b"
)
_ALWAYS = re.compile(
    r"\b(?:always|immer|toujours|siempre|sempre|altijd|usually|normally|from now on|by default"
    r"|in (?:the )?future|every time|as a rule|ab (?:jetzt|sofort)|kunftig|desormais|dorenavant"
    r"|a partir de ahora|d'ora in poi|voortaan|a partir de agora)\b"
)
_STANDING = re.compile(
    r"\b(?:by default|usually|normally|generally|in general|always|from now on|in (?:the )?future"
    r"|regular(?:ly)?|as a rule|should i (?:keep|use)|every (?:day|week|month|time)"
    r"|(?:weekly|daily|monthly)|standardmassig|normalerweise|in zukunft|par defaut|d'habitude"
    r"|por defecto|normalmente|di solito|meestal|voortaan)\b"
)
"""A question for what is to hold from then on."""
_LONGER = 16
"""An answer to such a question may have so many words."""
_LAST_QUESTION = re.compile(r"[^.!?\n]*\?[^?]*$")
_SURE = 0.8


def answered(saying: Saying, own: str, cues: Cues) -> Candidate | None:
    """What a short answer to the question of the assistant says of the owner."""
    asked = _LAST_QUESTION.search(saying.asked)
    first = _FIRST.match(own.lstrip())
    if asked is None or first is None or "?" in own:
        return None
    quote, question = first[0].strip(" ,;:-"), level(asked[0])
    low = level(quote)
    stands = _STANDING.search(question) or cues.choose.search(question)
    if stands and (one := _preferred(saying, own.strip(), cues)):
        return one
    if not 0 < len(low.split()) <= _MOST or _SUBJECT.search(low) or cues.unsaid.match(low):
        return None
    for one in cues.ask:
        if one.pattern.search(question):
            return _made(saying, one, quote)
    return None


def _made(saying: Saying, question: Question, quote: str) -> Candidate | None:
    value = _PREPOSITION.sub("", quote, count=1) if _PREPOSITION.match(quote) else quote
    content = question.answer.replace("{}", value)
    if sensitive_kind(content):
        return None
    return Candidate(
        "fact",
        content,
        saying.message_id,
        quote,
        question.category,
        _SURE,
        slot=question.slot or None,
    )


def _preferred(saying: Saying, own: str, cues: Cues) -> Candidate | None:
    """Of several things the one that is taken always."""
    low = level(own)
    if not _ALWAYS.search(low) or own not in saying.text or cues.unsaid.match(low):
        return None
    if len(low.split()) > _LONGER or sensitive_kind(own):
        return None
    return Candidate("preference", own, saying.message_id, own, None, _SURE)
