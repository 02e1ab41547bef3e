"""Pleasantries: greetings, thanks, a nod, which ask for nothing."""

from __future__ import annotations

import re

from palaver.agent.lists import word_set
from palaver.text import words

_GREETINGS = word_set(
    """
    abend afternoon bonjour ciao evening greetings grüß gruss hallo hello hey hi hola howdy moin
    morgen morning servus tag
    """
)
_THANKS = word_set("dank danke dankeschön gracias merci thank thanks thx ty vielen")
_FAREWELLS = word_set("bye cu goodbye goodnight nacht night tschau tschüs tschüss wiedersehen")
_NODS = word_set(
    """
    alright cool fine great hm hmm ja k klar nein nice no nope ok okay perfect perfekt right sure
    super wow yeah yep yes
    """
)
_FILLERS = word_set(
    """
    a again all and auf das day die dir everyone for für geholfen good gott gut gute guten hat help
    helped it lot mir much schön sehr so that the then there this to very you your
    """
)
_HOW_ARE_YOU = re.compile(
    r"\bhow (?:are you(?: doing)?(?: today)?|is it going|do you do)\b|\bhow's it going\b"
    r"|\bwie geht(?:'?s| es)(?: dir)?(?: heute)?\b",
    re.IGNORECASE,
)
_LONGEST = 80
_ANSWERS = (
    (_GREETINGS, "Hello!"),
    (_NODS, "All right."),
    (_THANKS | _NODS, "You are welcome."),
    (_FAREWELLS | _THANKS | _NODS, "Goodbye."),
)


def pleasantry(text: str, name: str) -> str:
    """How to open the answer to a greeting, to thanks and the like; empty when it is none."""
    spoken = set(words(_HOW_ARE_YOU.sub("hello", text))) if len(text) <= _LONGEST else set[str]()
    said = spoken - _FILLERS - set(words(name))
    if not said:
        return ""
    return next((answer for kind, answer in _ANSWERS if said <= kind), "")
