"""Decisions: sentences in which something seems to be decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from palaver.agent.lists import word_set
from palaver.agent.offline.quotation import Quotation
from palaver.digest.state.heard import Heard, hear
from palaver.digest.state.sentences import Sentence
from palaver.index.records import Message
from palaver.index.values import OFFLINE

_LANGUAGE = "en"
"""Taken for the language of a message that is too short to tell."""
# Both are looked for in text without case and diacritics.
_PLAINLY = re.compile(
    r"\b(?:decided|agreed|resolved|settled on|beschlossen|entschieden|entschlossen|vereinbart"
    r"|abgemacht)\b"
)
_IF = re.compile(r"^(?:if|once|unless|until|when|falls|sobald|wenn)\b")
_NOTHING = word_set("nothing nichts niemand nobody")
_REACH = 4
"""How many words before a decision may deny it: what stands further off, or behind it, is what was
decided against."""


def decisions_in(messages: Iterable[Message]) -> Iterator[Quotation]:
    """The first decision of each message that has one."""
    for message in messages:
        if message.model != OFFLINE and (found := _decision(message)):
            yield found


def _decision(message: Message) -> Quotation | None:
    heard = hear(message, _LANGUAGE)
    for sentence in heard.statements:
        if _decides(sentence, heard) and sentence.text in message.content:
            return Quotation(message, sentence.text, frozenset())
    return None


def _decides(sentence: Sentence, heard: Heard) -> bool:
    low, cues = sentence.low, heard.cues
    if cues.put_off.search(low) or _IF.search(low):
        return False
    if plainly := _PLAINLY.search(low):
        before = low[: plainly.start()].split()[-_REACH:]
        return not (cues.negation.search(" ".join(before)) or _NOTHING.intersection(before))
    return bool(cues.decided.search(low) and not cues.negation.search(low))
