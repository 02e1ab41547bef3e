"""Pleasantries: greetings and thanks, which ask for nothing."""

from __future__ import annotations

from palaver.agent.lists import word_set
from palaver.text import words

_GREETINGS = word_set(
    """
    abend afternoon bonjour ciao evening greetings grüß gruss hallo hello hey hi hola howdy moin
    morgen morning servus tag
    """
)
_THANKS = word_set("dank danke dankeschön gracias merci thank thanks thx vielen")
_FILLERS = word_set(
    "a again all day dir everyone good gott gut guten lot much so there to very you"
)
_LONGEST = 80


def pleasantry(text: str, name: str) -> str:
    """How to open the answer to a greeting or to thanks; empty when it is neither."""
    spoken = set(words(text)) if len(text) <= _LONGEST else set[str]()
    said = spoken - _FILLERS - set(words(name))
    if said and said <= _THANKS:
        return "You are welcome."
    return "Hello!" if said and said <= _GREETINGS else ""
