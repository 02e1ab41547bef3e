"""Phrases: the runs of telling words in what was said, which may name what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from palaver.digest.offline.idle import greets, is_idle, may_be_verb
from palaver.digest.offline.lines import is_pleasantry
from palaver.digest.offline.wording import DETERMINERS, LINKS, is_infinitive
from palaver.digest.state.content import stem, telling
from palaver.digest.state.heard import Heard
from palaver.digest.state.sentences import Sentence
from palaver.text import fold
from palaver.text.scripts import MARK, UNSPACED
from palaver.text.stops import STOP_WORDS

_TOKEN = re.compile(rf"[^\W_{UNSPACED}](?:[\w{MARK}'\u2019.+#&@-]*[\w{MARK}+#])?")
_ADDRESS = re.compile(r"\S*(?://|@\w+\.)\S*")
_ELIDED = re.compile(r"^(?:l|d|qu|c|j|s|n|m|t|un|dell|nell|all|sull|dall)['\u2019]", re.I)
_OWNED = re.compile(r"['\u2019]s?$")
_LONG_WORD = 40
_SHOUTED = 16
_LONGEST = 4
"""A run of more telling words is no phrase."""
_READ = {"user": 10, "assistant": 2}
"""How many sentences of a message are read: a reply says at its beginning what it is about."""


class Token(NamedTuple):
    """A word of a sentence."""

    text: str
    low: str
    start: int
    end: int
    stem: str
    """What its forms have in common; "" of a word that tells nothing."""
    follows: bool
    """Whether only white space stands between it and the word before."""


class Phrase(NamedTuple):
    """A run of telling words."""

    tokens: tuple[Token, ...]
    stems: tuple[str, ...]
    heard: int
    """The number of the message."""
    sentence: str
    entered: bool
    """Whether a determiner or a preposition stands before it, as before nouns."""
    link: tuple[Token, ...] = ()
    """What joins it to the phrase before it: "for the" in "a recipe for the oven"."""

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
    nouns = language == "de" and not sentence.text.islower()
    for run_start, run_end in _runs(tokens, language, only_names=nouns):
        first, last = _trimmed(tokens, run_start, run_end, language)
        if first >= last:
            before = None
            continue
        link = tuple(tokens[start:first]) if before else ()
        joined = bool(link) and _joins(link, tokens[first], language)
        phrase = Phrase(
            tuple(tokens[first:last]),
            tuple(token.stem for token in tokens[first:last]),
            number,
            sentence.text,
            _entered(tokens, first, language),
            link if joined else (),
        )
        yield phrase
        before, start = phrase, last


def tokenised(text: str, language: str) -> list[Token]:
    """The words of a text, with where they stand; addresses are none."""
    if len(text) > _SHOUTED and text.isupper() and len(text.lower()) == len(text):
        text = text.lower()
    blank = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
    tokens: list[Token] = []
    end = 0
    for found in _TOKEN.finditer(blank):
        tokens.append(_token(found, language, end))
        end = found.end()
    return tokens


def _token(found: re.Match[str], language: str, end: int) -> Token:
    """A word, where the one before has its end."""
    text, start = found[0], found.start()
    if elided := _ELIDED.match(text):
        text, start = text[elided.end() :], start + elided.end()
    low, told = _known(text, language, inside=start > 0)
    follows = start > 0 and not found.string[end:start].strip(" \t")
    return Token(text, low, start, found.end(), told, follows)


@lru_cache(maxsize=1 << 14)
def _known(text: str, language: str, *, inside: bool) -> tuple[str, str]:
    """A word as it is compared, and its stem if it tells something."""
    low = fold(_OWNED.sub("", text).lower()) or fold(text)
    if "'" in low and not telling(low.partition("'")[0], language):
        low = low.partition("'")[0]  # I'm, they're
    stops = STOP_WORDS.get(language, ())
    if len(text) > _LONG_WORD or len(low) < 2 or _is_number(low) or text.lower() in stops:
        return low, ""
    told = telling(low, language)
    if not told and inside and text[:1].isupper() and low not in stops:
        told = stem(low, language)  # New Orleans
    return low, told


def _is_number(low: str) -> bool:
    return not any(map(str.isalpha, low))


def _runs(tokens: Sequence[Token], language: str, *, only_names: bool) -> Iterator[tuple[int, int]]:
    """Where telling words stand side by side, with nothing between them: in German, where nouns
    have capitals, only those that have."""
    start = -1
    for place, token in enumerate(tokens):
        again = place > 0 and token.stem == tokens[place - 1].stem
        tells = (is_name(token) if only_names else _tells(token, language)) and not again
        if start >= 0 and not (token.follows and tells):
            yield start, place
            start = -1
        if start < 0 and tells:
            start = place
    if start >= 0:
        yield start, len(tokens)


def _tells(token: Token, language: str) -> bool:
    """Whether a word may stand in a phrase: in English a verb may, between nouns."""
    if not token.stem or language == "en":
        return bool(token.stem)
    return not _is_idle(token, language) and not _is_link(token, language)


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
    if is_name(token) or (first and _is_determiner(tokens[first - 1], language)):
        return False
    if language == "en":
        return may_be_verb(token.stem) and not _entered(tokens, first, language)
    return is_infinitive(token.low, language)


def _is_idle(token: Token, language: str) -> bool:
    if greets(token.low):
        return True
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
    before = tokens[first - 1]
    return _is_determiner(before, language) or _is_link(before, language)


def _is_determiner(token: Token, language: str) -> bool:
    return fold(token.text) in DETERMINERS.get(language, ())


def _is_link(token: Token, language: str) -> bool:
    return fold(token.text) in LINKS.get(language, ())


def _joins(link: Sequence[Token], after: Token, language: str) -> bool:
    """Whether small words join a phrase to the one before: a preposition, maybe an article."""
    if not all(token.follows for token in (*link, after)) or not _is_link(link[0], language):
        return False
    if language == "en" and link[-1].low == "to" and not is_name(after):
        return False
    return len(link) == 1 or (len(link) == 2 and _is_determiner(link[1], language))
