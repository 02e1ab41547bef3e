"""Titles: what a conversation may be called, in its own words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from palaver.digest.offline.phrases import Phrase, Token, is_name, phrases
from palaver.digest.offline.wording import DETERMINERS, is_weak
from palaver.digest.state.heard import Heard
from palaver.text import fold

_SPEAKS = {"user": 1.0, "assistant": 0.35}
_OPENING = 0.8
"""What it is worth for a word to stand in the first message of the user."""
_FIRST = 1.4
_WEAK = 0.3
_LENGTHS = {1: 0.55, 2: 1.0, 3: 1.05, 4: 0.95}
_ENTERED = 1.25
_NAMED = 1.15
_AGAIN = 0.4
_JOINED = 0.35
"""How much the number of its words, a preposition before it, a name in it, saying it again and what
is joined to it count for a phrase."""
_MOST = 24


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words of one sentence that may name a conversation."""

    parts: tuple[Phrase, ...]
    score: float

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(stem for part in self.parts for stem in part.stems)

    @property
    def quote(self) -> str:
        """The words as they stand in their message."""
        first, last = self.parts[0].tokens[0], self.parts[-1].tokens[-1]
        return self.parts[0].sentence[first.start : last.end]

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
        _score(one, weights, heard[one.heard].speaker)
        * (_FIRST if one.heard == opening else 1.0)
        * (1 + _AGAIN * log(often[one.stems]))
        for one in found
    ]
    return _distinct(sorted(_chains(found, scores), key=lambda one: -one.score))


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


def _score(phrase: Phrase, weights: Mapping[str, float], speaker: str) -> float:
    told = [weights[stem] for stem in phrase.stems]
    score = sum(told) / len(told) * _LENGTHS[len(told)] * _SPEAKS[speaker] ** 0.5
    score *= _ENTERED if phrase.entered else 1.0
    return score * (_NAMED if any(map(is_name, phrase.tokens)) else 1.0)


def _chains(found: Sequence[Phrase], scores: Sequence[float]) -> Iterator[Candidate]:
    """Each phrase alone, and with those that are joined to it."""
    for place, phrase in enumerate(found):
        parts, score = (phrase,), scores[place]
        yield Candidate(parts, score)
        for more in range(place + 1, min(place + 3, len(found))):
            if not found[more].link or _hangs(found[more]):
                break
            parts = (*parts, found[more])
            score += _JOINED * scores[more]
            yield Candidate(parts, score)


def _hangs(phrase: Phrase) -> bool:
    """Whether it is a lone form of a verb, which leaves a title unfinished."""
    return phrase.lone and phrase.tokens[0].text.endswith("ing")


def _distinct(every: Iterable[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    for one in every:
        if len(kept) == _MOST:
            break
        if all(not one.stems <= other.stems and not other.stems <= one.stems for other in kept):
            kept.append(one)
    return kept


def _owns(token: Token, language: str) -> bool:
    low = fold(token.text)
    return language == "en" and low in DETERMINERS["en"] and low not in {"a", "an", "the"}
