"""Phrases: the runs of telling words in what was said, which may name what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver.digest.offline.wording import DETERMINERS, LINKS, is_idle, may_be_verb
from palaver.digest.offline.lines import is_pleasantry
from palaver.digest.state.content import stem, telling
from palaver.digest.state.heard import Heard
from palaver.digest.state.sentences import Sentence
from palaver.text import fold
from palaver.text.scripts import UNSPACED
from palaver.text.stops import STOP_WORDS

_TOKEN = re.compile(rf"[^\W_{UNSPACED}](?:[\w'\u2019.+#&@-]*[\w+#])?")
_ADDRESS = re.compile(r"\S*(?://|@\w+\.)\S*")
_BETWEEN = re.compile(r"[ \t]*")
_ELIDED = re.compile(r"^(?:l|d|qu|c|j|s|n|m|t|un|dell|nell|all|sull|dall)['\u2019]", re.I)
_OWNED = re.compile(r"['\u2019]s?$")
_LONGEST = 4
"""A run of more telling words is no phrase."""
_READ = {"user": 16, "assistant": 5}
"""How many sentences of a message are read: a reply says at its beginning what it is about."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence."""

    text: str
    low: str
    start: int
    end: int
    stem: str
    """What its forms have in common; "" of a word that tells nothing."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of telling words."""

    tokens: tuple[Token, ...]
    heard: int
    """The number of the message."""
    sentence: str
    entered: bool
    """Whether a determiner or a preposition stands before it, as before nouns."""
    link: tuple[Token, ...] = ()
    """What joins it to the phrase before it: "for the" in "a recipe for the oven"."""

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens)

    @property
    def lone(self) -> bool:
        return len(self.tokens) == 1


def phrases(heard: Sequence[Heard]) -> Iterator[Phrase]:
    """All phrases, in the order in which they were said."""
    for number, said in enumerate(heard):
        for sentence in said.sentences[: _READ[said.speaker]]:
            if not is_pleasantry(sentence):
                yield from _in_sentence(sentence, number, said.language)


def _in_sentence(sentence: Sentence, number: int, language: str) -> Iterator[Phrase]:
    tokens = tokenised(sentence.text, language)
    before: Phrase | None = None
    start = 0
    for run_start, run_end in _runs(tokens, sentence.text, language):
        first, last = _trimmed(tokens, run_start, run_end, language)
        if first >= last:
            before = None
            continue
        link = tuple(tokens[start:first]) if before else ()
        joined = bool(link) and _joins(link, tokens, start, first, sentence.text, language)
        phrase = Phrase(
            tuple(tokens[first:last]),
            number,
            sentence.text,
            _entered(tokens, first, language),
            link if joined else (),
        )
        yield phrase
        before, start = phrase, last


def tokenised(text: str, language: str) -> list[Token]:
    """The words of a text, with where they stand; addresses are none."""
    blank = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
    return [_token(found, language) for found in _TOKEN.finditer(blank)]


def _token(found: re.Match[str], language: str) -> Token:
    text, start = found[0], found.start()
    if elided := _ELIDED.match(text):
        text, start = text[elided.end() :], start + elided.end()
    low = fold(_OWNED.sub("", text).lower()) or fold(text)
    if "'" in low and not telling(low.partition("'")[0], language):
        low = low.partition("'")[0]  # I'm, they're
    told = "" if len(low) < 2 and not text.isupper() else telling(low, language)
    if not told and start and text[:1].isupper() and low not in STOP_WORDS.get(language, ()):
        told = stem(low, language)  # New Orleans
    return Token(text, low, start, found.end(), "" if _is_number(low) else told)


def _is_number(low: str) -> bool:
    return not any(map(str.isalpha, low))


def _runs(tokens: Sequence[Token], text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where telling words stand side by side, with nothing between them."""
    start = -1
    for place, token in enumerate(tokens):
        follows = place > 0 and _BETWEEN.fullmatch(text, tokens[place - 1].end, token.start)
        if start >= 0 and (not follows or not _tells(tokens, place, language)):
            yield start, place
            start = -1
        if start < 0 and _tells(tokens, place, language):
            start = place
    if start >= 0:
        yield start, len(tokens)


def _tells(tokens: Sequence[Token], place: int, language: str) -> bool:
    """Whether a word may stand in a phrase: in German only what has a capital may."""
    token = tokens[place]
    if not token.stem:
        return False
    if language == "de":
        return token.text[:1].isupper() and (place > 0 or len(tokens) == 1)
    return True


def _trimmed(tokens: Sequence[Token], first: int, last: int, language: str) -> tuple[int, int]:
    """A run without the verbs and other idle words at its ends."""
    if _follows_to(tokens, first, language):
        first += 1
    while first < last and _is_idle_first(tokens, first, language):
        first += 1
    while first < last and _is_idle(tokens[last - 1], language):
        last -= 1
    return max(first, last - _LONGEST), last


def _is_idle_first(tokens: Sequence[Token], first: int, language: str) -> bool:
    token = tokens[first]
    if _is_idle(token, language):
        return True
    verb = may_be_verb(token.stem, language) and not is_name(token)
    return verb and not _entered(tokens, first, language)


def _is_idle(token: Token, language: str) -> bool:
    return is_idle(token.low, token.stem, language) and not is_name(token)


def is_name(token: Token) -> bool:
    """Whether it has a capital inside a sentence."""
    return token.start > 0 and token.text[:1].isupper()


def _follows_to(tokens: Sequence[Token], first: int, language: str) -> bool:
    """Whether a verb follows: "to promote", not "to Lisbon"."""
    before = tokens[first - 1].low if first else ""
    return language == "en" and before == "to" and not is_name(tokens[first])


def _entered(tokens: Sequence[Token], first: int, language: str) -> bool:
    if first == 0:
        return False
    before = fold(tokens[first - 1].text)
    return before in DETERMINERS.get(language, ()) or before in LINKS.get(language, ())


def _joins(
    link: Sequence[Token],
    tokens: Sequence[Token],
    start: int,
    first: int,
    text: str,
    language: str,
) -> bool:
    """Whether small words join a phrase to the one before: a preposition, maybe an article."""
    if not 1 <= len(link) <= 2 or fold(link[0].text) not in LINKS.get(language, ()):
        return False
    if language == "en" and link[-1].low == "to" and not is_name(tokens[first]):
        return False
    if len(link) == 2 and fold(link[1].text) not in DETERMINERS.get(language, ()):
        return False
    pairs = zip(tokens[start - 1 : first], tokens[start : first + 1], strict=True)
    return all(_BETWEEN.fullmatch(text, one.end, other.start) for one, other in pairs)
