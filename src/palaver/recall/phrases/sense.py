"""Whether a query asks for what was said at a time, or for what happened then.

What happened last month may have been told today, and what it takes to answer may have been told
a year ago: a window would hide it. So a time becomes a window only when it is the time of talking.
"""

from __future__ import annotations

import re

from palaver.recall.phrases.language import Language

_QUOTED = re.compile(
    r"""\"[^"]{1,200}\"|“[^”]{1,200}”|«[^»]{1,200}»|„[^“”]{1,200}[“”]|(?<!\w)'[^']{1,200}'(?!\w)"""
)
_WORD = re.compile(r"\w+(?:'\w+)?")


def asks_what_was_said(folded: str, rest: str, language: Language) -> bool:
    """Whether the query is about talking, a mere list of words, or about nothing but a time.

    `rest` is the query without its words of time.
    """
    if about_talk(folded, language):
        return True
    words = set(_WORD.findall(rest))
    if words <= set(language.idle.split()):
        return True
    return "?" not in folded and not words & set(language.asking.split())


def asks_for_anything(rest: str, language: Language) -> bool:
    """Whether the query asks for all that was said at a time: "what did we talk about in May"."""
    words = set(_WORD.findall(re.sub(language.talk, " ", rest)))
    return words <= {*language.idle.split(), *language.asking.split()}


def about_talk(folded: str, language: Language) -> bool:
    return re.search(language.talk, folded) is not None


def quoted(text: str) -> list[tuple[int, int]]:
    """Where `text` quotes: a title, a song, and no time of the user's."""
    return [match.span() for match in _QUOTED.finditer(text)]
