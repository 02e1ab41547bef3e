"""Titles: what a conversation may be called, in its own words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from palaver.digest.offline.idle import is_weak
from palaver.digest.offline.phrases import Phrase, Token, is_name, phrases
from palaver.digest.offline.wording import DETERMINERS
from palaver.digest.port import TITLE_WORDS
from palaver.digest.state.heard import Heard
from palaver.text import fold

_SPEAKS = {"user": 1.0, "assistant": 0.35}
_OPENING = 0.8
"""What it is worth for a word to stand in the first message of the user."""
_FIRST = 1.4
_WEAK = 0.3
_LENGTHS = {1: 0.55, 2: 1.0, 3: 1.05, 4: 0.95}
_ENTERED = 1.25
_ALONE = 0.4
_INSIDE = 0.75
_NAMED = 1.15
_AGAIN = 0.4
_JOINED = 0.35
"""How much counts for a phrase: the number of its words, a preposition before it, or none where
nouns have one, being joined to another, a name in it, being said again, what is joined to it."""
_MOST, _COMPARED = 24, 300
BARE = ("de", "en")
"""Languages in which a noun is known without an article."""


class Candidate(NamedTuple):
    """Words of one sentence that may name a conversation."""

    parts: Sequence[Phrase]
    score: float
    stems: frozenset[str]

    @property
    def lone(self) -> bool:
        return len(self.parts) == 1 and self.parts[0].lone

    @property
    def quote(self) -> str:
        """The words as they stand in their message."""
        first, last = self.parts[0].tokens[0], self.parts[-1].tokens[-1]
        return self.parts[0].sentence[first.start : last.end]

    @property
    def telling(self) -> list[str]:
        """The words without those that join them."""
        return [token.text for part in self.parts for token in part.tokens]

    @property
    def is_noun(self) -> bool:
        """Whether it is surely no verb."""
        first = self.parts[0]
        return first.entered or not first.lone or any(map(is_name, first.tokens))

    def words(self, language: str) -> list[str]:
        """The words in their order, without whose thing it is."""
        told: list[str] = []
        for place, part in enumerate(self.parts):
            if place:
                told += [one.text for one in part.link if not _owns(one, language)]
            told += [token.text for token in part.tokens]
        return told


def candidates(heard: Sequence[Heard]) -> list[Candidate]:
    """Names for a conversation, the best one first; none of them is part of another."""
    found = list(phrases(heard))
    opening = next((n for n, one in enumerate(heard) if one.speaker == "user" and one.terms), 0)
    weights = _weights(heard, found, opening)
    often = Counter(one.stems for one in found)
    scores = [
        _score(one, weights, heard[one.heard])
        * (_FIRST if one.heard == opening else 1.0)
        * (1 + _AGAIN * log(often[one.stems]))
        for one in found
    ]
    best = sorted(_chains(found, scores, heard), key=lambda one: -one.score)
    return _distinct(best[:_COMPARED])


def _weights(heard: Sequence[Heard], found: Iterable[Phrase], opening: int) -> dict[str, float]:
    """How much each stem tells of the conversation: in how many messages it is said, by whom."""
    spoken: dict[str, set[int]] = defaultdict(set)
    for phrase in found:
        for stem in phrase.stems:
            spoken[stem].add(phrase.heard)
    weights: dict[str, float] = {}
    for stem, places in spoken.items():
        said = sum(_SPEAKS[heard[place].speaker] for place in places)
        weight = log(1 + said) + _OPENING * (opening in places)
        weak = is_weak(stem, heard[min(places)].language)
        weights[stem] = weight * (_WEAK if weak else 1.0)
    return weights


def _score(phrase: Phrase, weights: Mapping[str, float], said: Heard) -> float:
    told = [weights[stem] for stem in phrase.stems]
    score = sum(told) / len(told) * _LENGTHS[len(told)] * _SPEAKS[said.speaker] ** 0.5
    score *= _INSIDE if phrase.link else 1.0
    if phrase.entered:
        score *= _ENTERED
    elif said.language in DETERMINERS and said.language not in BARE:
        score *= _ALONE
    return score * (_NAMED if any(map(is_name, phrase.tokens)) else 1.0)


def _chains(
    found: Sequence[Phrase], scores: Sequence[float], heard: Sequence[Heard]
) -> Iterator[Candidate]:
    """Each phrase alone, and with those that are joined to it, as long as a title may be."""
    for place, phrase in enumerate(found):
        parts, score, stems = [phrase], scores[place], frozenset(phrase.stems)
        yield Candidate(parts, score, stems)
        for more in range(place + 1, min(place + 3, len(found))):
            if not found[more].link or _hangs(found[more]):
                break
            parts = [*parts, found[more]]
            score += _JOINED * scores[more]
            stems |= frozenset(found[more].stems)
            longer = Candidate(parts, score, stems)
            if len(longer.words(heard[phrase.heard].language)) > TITLE_WORDS[1]:
                break
            yield longer


def _hangs(phrase: Phrase) -> bool:
    """Whether it is a lone form of a verb, which leaves a title unfinished."""
    return phrase.lone and phrase.tokens[0].text.endswith("ing")


def _distinct(every: Sequence[Candidate]) -> list[Candidate]:
    """Those that are no part of another; a single word only where no phrase with it is left."""
    kept: list[Candidate] = []
    for one in (*(one for one in every if not one.lone), *(one for one in every if one.lone)):
        if len(kept) < _MOST and not any(_is_part(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.score)


def _is_part(one: Candidate, other: Candidate) -> bool:
    return one.stems <= other.stems or other.stems <= one.stems


def _owns(token: Token, language: str) -> bool:
    low = fold(token.text)
    return language == "en" and low in DETERMINERS["en"] and low not in {"a", "an", "the"}
