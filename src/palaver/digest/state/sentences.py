"""Sentences: what a message says, one thing at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from palaver.digest.state.content import content, plain
from palaver.digest.state.others import own_words
from palaver.digest.state.records import MAX_TEXT
from palaver.text import sentence_spans, whole_character

MAX_READ = 12_000
"""Of a longer message the beginning and the end are read, and of very many sentences too."""
MAX_SENTENCES = 80
MAX_SENTENCE = 500
_WORD = re.compile(r"\w")
_MARKER = re.compile(r"\s*(?:[-*\u2022]\s+|\d{1,2}[.)]\s+)?")
_BOX = re.compile(r"\[( |x|X)\]\s+")
_QUESTION = re.compile(r"[?\uff1f\u061f\u037e][\"'\u201d\u2019\u00bb)\]*_!?\s.]*$|\uff1f|か。?$")
_ASKING = re.compile(
    r"(?:(?:and|so|but|also|ok|okay|hey|hi|well|oh|um|pls|please|btw|quick q|thanks|thx|cool),? )*"
    r"(?:(?:how|what|why|where|which|who|when) (?:\w+ ){0,2}?(?:is|are|was|were|do|does|did|can|"
    r"could|should|would|will|has|have|to|much|many|long|about|come|came|don'?t|doesn'?t|didn'?t|isn'?t)"
    r"|(?:can|could|should) (?:i|you|we)|would (?:you|it)|is (?:it|there|this|that)|does"
    r"|are (?:there|they|you|we)|(?:do|did) (?:you|i|we|they|he|she|it)"
    r"|(?:what|how|where|who|when)'?s \w+|(?:am|was|were) (?:i|it|the|there|you)"
    r"|(?:has|have) (?:you|anyone|anybody|the|he|she|it|they|we|my)|any(?:one|body) \w+"
    r"|what about|how come|will (?:it|the|you|they|there)|is (?:the|my|our|he|she))\b"
)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence in the speaker's own words."""

    text: str
    """As it was written, with what it quotes; cut when it is very long."""
    low: str
    """Its own words, without case and diacritics."""
    asks: bool
    listed: bool
    box: str
    """The sign in a check box at its beginning."""
    language: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it is about."""
        return content(self.low, self.language)

    @cached_property
    def size(self) -> int:
        return len(self.low.split())


def sentences(text: str, language: str) -> list[Sentence]:
    """The sentences of a message that are not somebody else's."""
    text = _within_reach(text)
    own = own_words(text)
    spans = [(start, end) for start, end in sentence_spans(own) if _WORD.search(own, start, end)]
    if len(spans) > MAX_SENTENCES:
        spans = spans[: MAX_SENTENCES // 2] + spans[-MAX_SENTENCES // 2 :]
    return [_sentence(text, own, start, end, language) for start, end in spans]


def _within_reach(text: str) -> str:
    if len(text) <= MAX_READ:
        return text
    half = MAX_READ // 2
    return f"{text[:half]}\n\n{text[-half:]}"


def _sentence(text: str, own: str, start: int, end: int, language: str) -> Sentence:
    marker = _MARKER.match(own, start, end)
    begin = marker.end() if marker else start
    listed = bool(marker and marker[0].strip())
    box = _BOX.match(own, begin, end)
    begin = box.end() if box else begin
    said = text[begin:end].strip()
    low = _brief(plain(own[begin:end]))
    return Sentence(
        text=said[: whole_character(said, MAX_TEXT)],
        low=low,
        asks=asks(low),
        listed=listed,
        box=box[1] if box else "",
        language=language,
    )


def _brief(low: str) -> str:
    """A sentence without its middle when it is very long: cues stand at its ends."""
    if len(low) <= MAX_SENTENCE:
        return low
    half = MAX_SENTENCE // 2
    return f"{low[:half]} {low[-half:]}"


def asks(low: str) -> bool:
    """By its question mark, or by its first words when there is no sign at its end."""
    if _QUESTION.search(low):
        return True
    return low[-1:].isalnum() and low.count(" ") >= 1 and bool(_ASKING.match(low))
