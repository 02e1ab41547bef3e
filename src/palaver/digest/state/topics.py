"""Topics: what a conversation is about at the moment, in the words used in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from palaver.digest.state.content import stem, telling
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import MAX_TOPICS
from palaver.text import words

_KEPT = 3 * MAX_TOPICS
_DECAY = {"user": 0.85, "assistant": 1.0}
"""What is left of a topic when the user speaks again."""
_WEIGHT = {"user": 1.0, "assistant": 0.4}
_FAINT = 0.3
_LONGEST = 3
_READ = {"user": 12, "assistant": 4}
"""How many sentences of a message are read: a reply says at its beginning what it is about."""
_BREAK = re.compile(r"[^\w\s'-]+")


def weighed(heard: Heard, weights: Mapping[str, float]) -> dict[str, float]:
    """The topics after a message, with their weights."""
    after = {topic: weight * _DECAY[heard.speaker] for topic, weight in weights.items()}
    keys = {_key(topic, heard.language): topic for topic in after}
    for phrase in dict.fromkeys(_phrases(heard)):
        topic = keys.setdefault(_key(phrase, heard.language), phrase)
        after[topic] = after.get(topic, 0.0) + _WEIGHT[heard.speaker]
    best = sorted(after.items(), key=lambda pair: (-pair[1], pair[0]))[:_KEPT]
    return {topic: round(weight, 3) for topic, weight in best}


def active(weights: Mapping[str, float]) -> tuple[str, ...]:
    """The topics that are going on; a word inside a longer topic is not named again."""
    found: list[str] = []
    for topic, weight in weights.items():
        if len(found) == MAX_TOPICS:
            break
        if weight >= _FAINT and not any(_holds(other, topic) for other in found):
            found.append(topic)
    return tuple(found)


def _phrases(heard: Heard) -> Iterator[str]:
    """The runs of telling words, in kebab case."""
    for sentence in heard.sentences[: _READ[heard.speaker]]:
        for part in _BREAK.split(sentence.low):
            yield from _runs(part, heard.language)


def _runs(part: str, language: str) -> Iterator[str]:
    run: list[str] = []
    for word in [*words(part)[:60], ""]:
        if len(word) > 2 and not word.isdigit() and telling(word, language):
            run.append(word)
        elif run:
            yield "-".join(run[-_LONGEST:])
            run = []


@lru_cache(maxsize=1 << 12)
def _key(topic: str, language: str) -> str:
    return " ".join(stem(word, language) for word in topic.split("-"))


def _holds(longer: str, topic: str) -> bool:
    return f"-{topic}-" in f"-{longer}-"
