"""Owned: what of a message is in the owner's own words. The rest is blank, and keeps its place.

More is left out than for open loops (`palaver.digest.state.others`): what is taken for the owner's
here is kept for years.
"""

from __future__ import annotations

import re

from palaver.digest.state.others import own_words
from palaver.digest.state.sentences import MAX_READ
from palaver.memory.cues import pattern_of
from palaver.memory.offline.levels import level

_BLANK = re.compile(r"\S")
_TAGGED = re.compile(
    r"<(?P<tag>[a-z_-]{3,30})>.{0,8000}?(?:</(?P=tag)>|\Z)|^\s*[\[{].*[\]}]\s*$", re.DOTALL
)
"""What a tool or a recall has put there."""
_LIST = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s")
_NAMED = re.compile(
    r"(?<=[a-z] )(?<!says )(?<!said )(?<!wrote )(?<!goes )(?<!sagt )(?<!dit )(?<!dice )"
    r"[\"\u201c\u201e\u00ab](?:[\w'&.!-]+,? ?){1,4}[\"\u201d\u201c\u00bb]"
)
"""A few words in quotation marks are a name."""
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")


def owned(text: str) -> str:
    """What of a message is in the owner's own words."""
    text = text[:MAX_READ]
    own = _with_names(text, own_words(text))
    if "<" in own or own.lstrip()[:1] in {"{", "["}:
        own = _TAGGED.sub(_blanked, own)
    return _without_work(_without_letters(_without_answered(own)))


def _with_names(text: str, own: str) -> str:
    for found in _NAMED.finditer(text):
        if not own[found.start() : found.end()].strip():
            own = own[: found.start()] + found[0] + own[found.end() :]
    return own


def _without_answered(own: str) -> str:
    """Of a message that asks what to answer, the paragraphs that ask."""
    asks = pattern_of("pasted", "answered")

    def kept(paragraph: re.Match[str]) -> str:
        return paragraph[0] if asks.search(level(paragraph[0])) else _blanked(paragraph)

    return _PARAGRAPH.sub(kept, own) if "\n" in own and asks.search(level(own)) else own


def _without_letters(own: str) -> str:
    """The words before a letter or a message that is passed on, and those after its end."""
    low = level(own)
    begins = (
        pattern_of("pasted", "mail", re.MULTILINE),
        pattern_of("pasted", "greeting"),
        pattern_of("pasted", "passed_on"),
    )
    starts = [found.start() for one in begins if (found := one.search(low))]
    if not starts:
        return own
    closing = pattern_of("pasted", "closing").search(low, min(starts))
    end = closing.end() if closing else len(own)
    return own[: min(starts)] + _BLANK.sub(" ", own[min(starts) : end]) + own[end:]


def _without_work(own: str) -> str:
    """The words before a text that is to be worked on, or that stands below what is said of it."""
    if "\n" not in own:
        return own
    found = pattern_of("pasted", "worked_on", re.DOTALL).search(level(own))
    if found is None:
        return own
    start = max(found.start("rest"), found.start("below"))
    return own if _LIST.match(own, start) else own[:start]


def _blanked(found: re.Match[str]) -> str:
    return _BLANK.sub(" ", found[0])
