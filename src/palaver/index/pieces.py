"""Pieces: what the full text and the vectors hold of a message.

A message is cut into pieces: of about 30 words what a user says, of about 90 words a reply. Each
piece is known by its words, counted, and by a key made from its exact text, under which its vector
is kept. Both are pure functions of the text: taking messages one by one or all at once gives the
same pieces.

An abbreviation of a conversation is one piece, whatever its length: it has a key, and no words. So
is the summary of a day; where such summaries are looked for, its words count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Speaker
from palaver.text import LANGUAGES, LONG, SHORT, language, pieces, terms, words

KEY_BYTES = 16
MOST = 1 << 16
"""How many pieces are numbered together: a number takes two bytes."""
ECHO = 4
"""Marks the speaker of a piece that only repeats what was said elsewhere."""
GONE = 255
"""Stands for the speaker of a piece that has been taken out."""
_LONGEST = (1 << 16) - 1
_MOST_OFTEN = 127
"""More often than this counts as this often: two counts fit into a byte."""

COLUMNS = np.dtype(
    [
        ("round", "<i8"),
        ("seq", "<u4"),
        ("start", "<u4"),
        ("end", "<u4"),
        ("speaker", "u1"),
        ("language", "u1"),
        ("length", "<u2"),
        ("terms", "<u2"),
        ("time", "<i8"),
        ("key", "<u8"),
    ]
)
"""What is known of each piece beside its words; pieces stand in the order (round, seq, start)."""

SPOKEN = ("", *LANGUAGES)
"""The languages of pieces, by their codes; the first is the unknown one."""
_CODES = {name: code for code, name in enumerate(SPOKEN)}
_POINT = re.compile(r"^- ", re.MULTILINE)


class Said(NamedTuple):
    """A message to be found, or an abbreviation."""

    round: int
    """Its conversation's number shifted by 32 bits, plus its turn."""
    seq: int
    speaker: int
    time: int
    content: str


class Posting(NamedTuple):
    """In which pieces a term occurs, and how often in each."""

    pieces: NDArray[np.uint16]
    counts: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pieces that are numbered together, and where their terms occur."""

    columns: NDArray[np.void]
    postings: dict[str, Posting]


_SPEAKERS = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT, "tool": Speaker.TOOL}


def piece_key(text: str) -> bytes:
    """The key of a piece's vector."""
    return blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def piece_keys(role: str, content: str) -> list[bytes]:
    """The keys of all pieces of a message."""
    return keys_of(_SPEAKERS[role], content)


def keys_of(speaker: int, content: str) -> list[bytes]:
    """The keys of all pieces of what somebody says."""
    return [piece_key(content[start:end]) for start, end in cut(speaker, content)]


def without_marks(abbreviation: str) -> str:
    """What an abbreviation says, without the marks of its points."""
    return _POINT.sub("", abbreviation).strip()


def cut(speaker: int, content: str) -> list[tuple[int, int]]:
    """Where the pieces of a message are; of a tool's output, only the head and the tail."""
    if speaker in (Speaker.SUMMARY, Speaker.PAGE, Speaker.MEMORY):
        return [(0, len(content))] if content else []
    parts = pieces(content, SHORT if speaker == Speaker.USER else LONG)[:MOST]
    return [parts[0], parts[-1]] if speaker == Speaker.TOOL and len(parts) > 2 else parts


def short_key(key: bytes) -> int:
    """The part of a key by which pieces and vectors are matched in memory."""
    return int.from_bytes(key[:8], "little")


def batches(messages: Iterable[Said]) -> Iterator[Batch]:
    """The pieces of messages, as many at a time as can be numbered together."""
    gathered = _Gathered()
    for message in sorted(messages):
        parts = cut(message.speaker, message.content)
        if len(gathered.rows) + len(parts) > MOST:
            yield gathered.batch()
            gathered = _Gathered()
        gathered.add(message, parts)
    if gathered.rows:
        yield gathered.batch()


class _Gathered:
    """Messages on the way into a batch."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self._vocabulary = _Vocabulary()
        self._said: list[int] = []
        """The numbers of the words of all pieces, one after the other."""
        self._sizes: list[int] = []
        """How many of them belong to each piece."""

    def add(self, message: Said, parts: Sequence[tuple[int, int]]) -> None:
        content = message.content
        said = [_counted(message.speaker, content[start:end]) for start, end in parts]
        spoken = language(said[0] if len(said) == 1 else list(chain.from_iterable(said)))
        number, code = self._vocabulary.of(spoken).__getitem__, _CODES[spoken]
        for (start, end), found in zip(parts, said, strict=True):
            self._said += map(number, found)
            self._sizes.append(len(found))
            key = short_key(piece_key(content[start:end]))
            about = (message.speaker, code, min(len(found), _LONGEST), 0, message.time, key)
            self.rows.append((message.round, message.seq, start, end, *about))

    def batch(self) -> Batch:
        columns = np.array(self.rows, COLUMNS)
        places = np.repeat(np.arange(len(columns), dtype=np.uint32), self._sizes)
        terms, pairs = self._vocabulary.pairs(np.array(self._said, np.uint32), places)
        pairs, counts = np.unique(pairs, return_counts=True)
        where = (pairs % MOST).astype(np.uint16)
        held = np.bincount(where, minlength=len(columns))
        columns["terms"] = np.minimum(held, _LONGEST)
        often = np.minimum(counts, _MOST_OFTEN).astype(np.uint8)
        starts = np.searchsorted(pairs, np.arange(len(terms), dtype=pairs.dtype) * MOST)
        ends = [*starts[1:].tolist(), len(pairs)]
        postings: dict[str, Posting] = {}
        for term, start, end in zip(terms, starts.tolist(), ends, strict=False):
            postings[term] = Posting(where[start:end], often[start:end])
        return Batch(columns, postings)


def _counted(speaker: int, piece: str) -> list[str]:
    """The words of a piece by which it is found."""
    return [] if speaker == Speaker.SUMMARY else words(piece)


class _Vocabulary:
    """The words of a batch, numbered by language, and their terms, numbered together."""

    def __init__(self) -> None:
        self._memos: dict[str, _Memo] = {}
        self._numbers: dict[str, int] = {}
        """Every term, with its number."""
        self._terms: list[int] = []
        """The numbers of the terms of all words, one after the other."""
        self._ends: list[int] = [0]
        """Where those of each word end."""

    def of(self, spoken: str) -> _Memo:
        """The words of a language, with their numbers."""
        memo = self._memos.get(spoken)
        if memo is None:
            memo = self._memos[spoken] = _Memo(self, spoken)
        return memo

    def add(self, word: str, spoken: str) -> int:
        numbers = self._numbers
        self._terms += [numbers.setdefault(t, len(numbers)) for t in terms(word, spoken)]
        self._ends.append(len(self._terms))
        return len(self._ends) - 2

    def pairs(
        self, said: NDArray[np.uint32], places: NDArray[np.uint32]
    ) -> tuple[Sequence[str], NDArray[Any]]:
        """The terms, and where they occur: the number of a term and that of a place in one."""
        width = np.uint32 if len(self._numbers) <= MOST else np.int64
        numbers = np.array(self._terms, width) * MOST
        ends = np.array(self._ends, np.uint32)
        first, sizes = ends[:-1], np.diff(ends)
        found: list[NDArray[Any]] = []
        for nth in range(sizes.max(initial=1)):
            if nth:  # every word has one term, few have more
                more = sizes[said] > nth
                said, places = said[more], places[more]
            found.append(numbers[first[said] + nth] + places)
        return list(self._numbers), np.concatenate(found)


class _Memo(dict[str, int]):
    """The numbers of the words of one language."""

    def __init__(self, vocabulary: _Vocabulary, spoken: str) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._spoken = spoken

    def __missing__(self, word: str) -> int:
        self[word] = number = self._vocabulary.add(word, self._spoken)
        return number


def speaker_of(role: str, *, echo: bool) -> int:
    """How the speaker of a message is stored with its pieces."""
    return _SPEAKERS[role] | (ECHO if echo else 0)
