"""Quotations: which words of a message to quote, so that they still stand in it exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from palaver.agent.lists import word_set
from palaver.index.records import Message, Source
from palaver.recall.snippet import densest
from palaver.text import SENTENCE_END, Term, occurrences, whole_character, words

MAX_QUOTE = 240
_SPACE = re.compile(r"\s")
_QUESTION_WORDS = word_set(
    """
    how what when where which who whom whose why
    wann warum welche welchen welcher welches wem wen wer weshalb wie wieso wo
    """
)
_ASKING = _QUESTION_WORDS | word_set(
    "are can could did does is should was were would gibt hat hast ist kann kannst sind"
)
_REQUESTS = word_set(
    "find list look recall remind search show tell erinnere erzähl finde such suche zeig zeige"
)
_MOST_MATCHES = 1000


@dataclass(frozen=True, slots=True)
class Quotation:
    """A part of a message, word for word."""

    message: Message
    text: str
    held: frozenset[str]
    """The words looked for that it holds."""

    @property
    def source(self) -> Source:
        return Source(message_id=self.message.id, quote=self.text)


def quote(message: Message, terms: Sequence[Term]) -> Quotation | None:
    """The part of `message` that best holds the words, or None when it holds none of them.

    Without words to look for, its first sentences.
    """
    text = message.content
    found = sorted(islice(occurrences(text, terms), _MOST_MATCHES))
    if not terms:
        return Quotation(message, text[: _first_sentences(text)].strip(), frozenset())
    if not found:
        return None
    start, end = densest(found, MAX_QUOTE)
    end = min(end, whole_character(text, start + MAX_QUOTE))
    start = _beginning(text, start, max(end - MAX_QUOTE, 0))
    end = _ending(text, end, start + MAX_QUOTE)
    held = frozenset(match.word for match in found if start <= match.start and match.end <= end)
    return Quotation(message, text[start:end].strip(), held)


def is_question(text: str) -> bool:
    """Whether `text` asks rather than tells, as far as its form shows."""
    first = next(iter(words(text[:80])), "")
    return text.rstrip().endswith(("?", "\uff1f")) or first in _ASKING


def wants_answer(text: str) -> bool:
    """Whether anything in `text` asks: a question mark, a question word, or a request."""
    said = words(text)
    return (
        is_question(text)
        or "?" in text
        or not _QUESTION_WORDS.isdisjoint(said)
        or (bool(said) and said[0] in _REQUESTS)
    )


def _first_sentences(text: str) -> int:
    """Where the last sentence ends that fits, or the first one is cut."""
    if len(text) <= MAX_QUOTE:
        return len(text)
    ends = [found.end() for found in SENTENCE_END.finditer(text, 0, MAX_QUOTE)]
    return ends[-1] if ends else _ending(text, 0, MAX_QUOTE)


def _beginning(text: str, start: int, lowest: int) -> int:
    """The beginning of the sentence around `start`, else of a word, not before `lowest`."""
    ends = [found.end() for found in SENTENCE_END.finditer(text, lowest, start)]
    if ends:
        return ends[-1]
    space = _SPACE.search(text, lowest, start) if lowest else None
    if lowest == 0:
        return 0
    return space.end() if space else start


def _ending(text: str, end: int, highest: int) -> int:
    """The end of the sentence around `end`, else of a word, not after `highest`."""
    sentence = SENTENCE_END.search(text, end, highest + 1)
    if sentence and sentence.end() <= highest:
        return sentence.end()
    if len(text) <= highest:
        return len(text)
    spaces = [found.start() for found in _SPACE.finditer(text, end, highest + 1)]
    return spaces[-1] if spaces else max(whole_character(text, highest), end)
