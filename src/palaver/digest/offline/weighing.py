"""Weighing: which lines speak for many others, by meaning and by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from palaver.digest.offline.lines import Line
from palaver.index.evidence import Vector
from palaver.index.pieces import cut, speaker_of
from palaver.index.records import Message

Matrix = NDArray[np.float32]
_READ = {"user": 12_000, "assistant": 2_400}
"""So many characters of a message may be compared."""
_WORDS = np.float32(0.5)
"""How much words count where meanings are known, too."""


def pieces_of(message: Message) -> list[str]:
    """The pieces of a message that may have vectors and are of use: of a long one, the first."""
    if not (said := message.content[: _READ.get(message.role, 0)]):
        return []
    parts = [said[start:end] for start, end in cut(speaker_of(message.role, echo=False), said)]
    return parts if len(said) == len(message.content) else parts[:-1]  # the last is cut


def alike(
    lines: Sequence[Line], messages: Sequence[Message], vectors: Mapping[str, Vector]
) -> Matrix:
    """How much each two of the lines say the same, from 0 to 1."""
    by_words = _by_words(lines)
    meanings, known = _meanings(lines, messages, vectors)
    if not known.any():
        return by_words
    both = np.outer(known, known)
    by_meaning = np.maximum(meanings @ meanings.T, 0)
    return np.where(both, _WORDS * by_words + (1 - _WORDS) * by_meaning, by_words)


def _by_words(lines: Sequence[Line]) -> Matrix:
    """The cosine of the terms of each two lines; rare terms count more. Terms are taken in one
    order, whatever the process: sums of fractions depend on it."""
    told = [sorted(line.terms) for line in lines]
    often = Counter(term for terms in told for term in terms)
    rarity = {term: log(1 + len(lines) / count) for term, count in often.items()}
    shared = (term for term, count in often.items() if count > 1)
    numbers = {term: number for number, term in enumerate(shared)}
    table = np.zeros((len(lines), len(numbers)), np.float32)
    sizes = np.zeros((len(lines), 1), np.float32)
    for row, terms in enumerate(told):
        sizes[row] = sum(rarity[term] ** 2 for term in terms) ** 0.5
        for term in terms:
            if term in numbers:
                table[row, numbers[term]] = rarity[term]
    table /= np.maximum(sizes, 1e-9)
    same = table @ table.T
    np.fill_diagonal(same, 1)
    return same


def _meanings(
    lines: Sequence[Line], messages: Sequence[Message], vectors: Mapping[str, Vector]
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The vector of the piece that each line begins in, and whether there is one."""
    size = len(next(iter(vectors.values()), ()))
    found = np.zeros((len(lines), size), np.float32)
    known = np.zeros(len(lines), np.bool_)
    cuts: dict[int, list[tuple[int, str]]] = {}
    for row, line in enumerate(lines if vectors else ()):
        number, begin = line.place
        if number < 0:
            continue
        if number not in cuts:
            cuts[number] = list(_placed(messages[number]))
        text = next((text for start, text in reversed(cuts[number]) if start <= begin), "")
        if text in vectors:
            found[row], known[row] = vectors[text], True
    return found, known


def _placed(message: Message) -> Iterator[tuple[int, str]]:
    """The pieces of a message, with where they begin."""
    start = 0
    for text in pieces_of(message):
        start = message.content.index(text, start)
        yield start, text
