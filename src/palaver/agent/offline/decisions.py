"""Decisions: sentences in which something seems to be decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from palaver.agent.offline.quotation import Quotation
from palaver.digest.state.heard import hear
from palaver.index.records import Message
from palaver.index.values import OFFLINE

_LANGUAGE = "en"
"""Taken for the language of a message that is too short to tell."""


def decisions_in(messages: Iterable[Message]) -> Iterator[Quotation]:
    """The first decision of each message that has one."""
    for message in messages:
        if message.model != OFFLINE and (found := _decision(message)):
            yield found


def _decision(message: Message) -> Quotation | None:
    heard = hear(message, _LANGUAGE)
    cues = heard.cues
    for sentence in heard.statements:
        low = sentence.low
        open_still = cues.negation.search(low) or cues.put_off.search(low)
        if cues.decided.search(low) and not open_still and sentence.text in message.content:
            return Quotation(message, sentence.text, frozenset())
    return None
