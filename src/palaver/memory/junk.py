"""Junk: what is remembered, and not worth it.

What the owner has pinned or worded is never junk. Of all else the extractor is asked again what it
asked when it read the words: do they say something of the owner that lasts?
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from palaver.digest.state.cues import LANGUAGES as CUED
from palaver.digest.state.sentences import asks
from palaver.index.records import Memory, Message
from palaver.index.values import OFFLINE
from palaver.memory.cues import Cues, cues_of
from palaver.memory.offline.clauses import level
from palaver.memory.offline.extractor import found
from palaver.memory.port import Candidate, Saying
from palaver.text import LANGUAGES, language, words

_SPOKEN = [code for code in LANGUAGES if code in CUED]
_SHORTEST = 2
"""With fewer words nothing is said."""
_GREETING = re.compile(
    r"\W*(?:h(?:i|ey|ello|allo)|good (?:morning|evening|night|day)|guten (?:morgen|tag|abend)"
    r"|thanks?|thank you|danke|merci|gracias|grazie|obrigad[oa]|bedankt|bye|ok(?:ay)?|lol|haha+"
    r"|cool|great|nice|yes|no|sure|please|bitte|bonjour|salut|hola|ciao|ola|dag)\b"
    r"(?:\W+\w+){0,3}\W*"
)
_ASSISTANT = re.compile(
    r"\b(?:as an ai|i(?:'m| am) an? (?:ai|language model|assistant)|as you mentioned"
    r"|you (?:mentioned|said|told me)|how can i help|happy to help|let me know if"
    r"|i(?:'d| would) be (?:happy|glad) to|according to (?:my|your) memor"
    r"|i remember that you|based on (?:our|your))\b"
)


def junk(memory: Memory, source: Message | None, asked: str) -> str | None:
    """Why a memory is not worth keeping, in a sentence; None when it is. `asked` is what the
    assistant said right before its source."""
    if memory.pinned or memory.edited:
        return None
    low = level(memory.content)
    reason = _empty(memory, low)
    if reason is not None or memory.by == "user":
        return reason
    return _unsaid(low) or (_unlearned(memory, low, source, asked) if source else None)


def _empty(memory: Memory, low: str) -> str | None:
    """What is worth nothing, whoever wrote it down."""
    if len(words(memory.content)) < _SHORTEST:
        return "It is too short to say anything."
    return "It is small talk." if _GREETING.fullmatch(low) else None


def _unsaid(low: str) -> str | None:
    if asks(low):
        return "It is a question."
    if _ASSISTANT.search(low):
        return "It is what an assistant says, not what you said."
    return None


def _unlearned(memory: Memory, low: str, source: Message, asked: str) -> str | None:
    """Why it would not be learned of its source now."""
    if _said_again(memory, source, asked):
        return None
    return "Its source says nothing of you that lasts." if memory.by == OFFLINE else _passing(low)


def _said_again(memory: Memory, source: Message, asked: str) -> bool:
    """Whether the extractor finds this in its source still."""
    saying = Saying(source.id, source.conversation_id, source.content, source.timestamp, asked)
    return any(_overlap(one, memory) for one in found([saying]))


def _overlap(one: Candidate, memory: Memory) -> bool:
    quote = memory.quote or ""
    return one.quote in quote or quote in one.quote


def _passing(low: str) -> str | None:
    """What a model has found in words that the extractor finds nothing in: this has to hold."""
    cues = cues_of(language(words(low), _SPOKEN))
    for pattern, reason in _reasons(cues):
        if pattern.search(low):
            return reason
    return "It does not say of whom it tells." if cues.pronoun.match(low) else None


def _reasons(cues: Cues) -> Sequence[tuple[re.Pattern[str], str]]:
    return (
        (cues.hypothetical, "It is not said to be so."),
        (cues.joke, "It is a joke."),
        (cues.reported, "It is what somebody else says."),
        (cues.passing, "It passes, and holds no more."),
    )
