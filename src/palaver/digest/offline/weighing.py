"""Weighing: which lines speak for many others, by meaning and by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from palaver.digest.offline.lines import Line
from palaver.index.evidence import Vector
from palaver.index.pieces import cut, speaker_of
from palaver.index.records import Message

Matrix = NDArray[np.float32]
_WORDS = 0.5
"""How much words count where meanings are known, too."""


def pieces_of(message: Message) -> list[tuple[int, int]]:
    """Where the pieces of a message are that have vectors."""
    return cut(speaker_of(message.role, echo=False), message.content)


def alike(
    lines: Sequence[Line], messages: Sequence[Message], vectors: Mapping[str, Vector]
) -> Matrix:
    """How much each two of the lines say the same, from 0 to 1."""
    by_words = _by_words(lines)
    meanings, known = _meanings(lines, messages, vectors)
    if not known.any():
        return by_words
    by_meaning = np.clip(meanings @ meanings.T, 0, 1)
    share = np.where(np.outer(known, known), _WORDS, 1).astype(np.float32)
    return share * by_words + (1 - share) * by_meaning


def _by_words(lines: Sequence[Line]) -> Matrix:
    """The cosine of the terms of each two lines; rare terms count more."""
    often = Counter(term for line in lines for term in line.terms)
    numbers = {term: number for number, term in enumerate(often)}
    table = np.zeros((len(lines), len(numbers)), np.float32)
    for row, line in enumerate(lines):
        for term in line.terms:
            table[row, numbers[term]] = log(1 + len(lines) / often[term])
    return _product(table)


def _product(table: Matrix) -> Matrix:
    sizes = np.linalg.norm(table, axis=1, keepdims=True)
    table = table / np.maximum(sizes, 1e-9)
    return table @ table.T


def _meanings(
    lines: Sequence[Line], messages: Sequence[Message], vectors: Mapping[str, Vector]
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The vector of the piece that each line begins in, and whether there is one."""
    size = len(next(iter(vectors.values()))) if vectors else 1
    found = np.zeros((len(lines), size), np.float32)
    known = np.zeros(len(lines), np.bool_)
    if not vectors:
        return found, known
    cuts: dict[int, list[tuple[int, int]]] = {}
    for row, line in enumerate(lines):
        number, begin = line.place
        if number < 0:
            continue
        if number not in cuts:
            cuts[number] = pieces_of(messages[number])
        said = messages[number].content
        text = next((said[a:b] for a, b in cuts[number] if a <= begin < b), "")
        if text in vectors:
            found[row], known[row] = vectors[text], True
    return found, known
