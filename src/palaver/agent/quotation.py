"""Quotations: which words of a message to quote, so that they still stand in it exactly."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from palaver.index.records import Message, Source
from palaver.recall.query import word_set, words_in
from palaver.recall.snippet import densest, matches, whole_character

MAX_QUOTE = 240
_SENTENCE_END = re.compile(r"[.!?…]+[\"'\u201d\u2019)\]]*(?=\s)|[\u3002\uff01\uff1f]+|\n")
_SPACE = re.compile(r"\s")
_QUESTION_WORDS = word_set("how what when where which who whom whose why")
_ASKING = _QUESTION_WORDS | word_set("are can could did does is should was were would")
_REQUESTS = word_set("find list look recall remind search show tell")


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


def quote(message: Message, folded: Collection[str]) -> Quotation | None:
    """The part of `message` that best holds the words, or None when it holds none of them."""
    text = message.content
    found = matches(text, folded)
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
    first = next(iter(words_in(text[:80])), "")
    return text.rstrip().endswith(("?", "\uff1f")) or first in _ASKING


def wants_answer(text: str) -> bool:
    """Whether anything in `text` asks: a question mark, a question word, or a request."""
    words = words_in(text)
    return (
        is_question(text)
        or "?" in text
        or not _QUESTION_WORDS.isdisjoint(words)
        or (bool(words) and words[0] in _REQUESTS)
    )


def _beginning(text: str, start: int, lowest: int) -> int:
    """The beginning of the sentence around `start`, else of a word, not before `lowest`."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, lowest, start)]
    if ends:
        return ends[-1]
    space = _SPACE.search(text, lowest, start) if lowest else None
    if lowest == 0:
        return 0
    return space.end() if space else start


def _ending(text: str, end: int, highest: int) -> int:
    """The end of the sentence around `end`, else of a word, not after `highest`."""
    sentence = _SENTENCE_END.search(text, end, highest + 1)
    if sentence and sentence.end() <= highest:
        return sentence.end()
    if len(text) <= highest:
        return len(text)
    spaces = [found.start() for found in _SPACE.finditer(text, end, highest + 1)]
    return spaces[-1] if spaces else max(whole_character(text, highest), end)
