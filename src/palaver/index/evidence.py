"""Evidence: what speaks for the rounds that a question may mean, whatever engine found them.

A piece is a part of a message, a few sentences long; a round is a turn of a conversation. Engines
find candidates and count; how the counts are weighed is for recall to say, once for all engines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Keys = NDArray[np.uint64]


class Speaker(IntEnum):
    """Whose words a piece is made of."""

    USER = 0
    ASSISTANT = 1
    TOOL = 2
    SUMMARY = 3
    """Nobody's: an abbreviation of a conversation, or the summary of a day. It means something, and
    no word of it counts."""
    PAGE = 8
    """Nobody's: the summary of a day, where those are looked for. Its words count."""
    MEMORY = 16
    """The owner's, or whoever wrote it down: a memory. Only who looks for memories finds it."""


FIRST_PAGE = 1 << 31
"""Above the number of every turn: pages of days stand there, each next to nothing."""


def page_turn(label: str) -> int:
    """In which turn the summary of a day stands, where those are looked for."""
    return FIRST_PAGE + 2 * date.fromisoformat(label).toordinal()


@dataclass(frozen=True, slots=True)
class Statistics:
    """All rounds of the user, whether they match or not."""

    rounds: int
    frequencies: Floats
    """For each term of the question, in how many rounds it occurs."""


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The abbreviations, and the summaries of days, that are near to the question."""

    conversation: Integers
    """Of which conversation each is."""
    cosine: Floats
    """How near in meaning each is."""


NO_ABBREVIATIONS = Abbreviations(np.zeros(0, np.int64), np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True)
class DayMarks:
    """The days of a conversation, the oldest first."""

    labels: Sequence[str]
    ids: Sequence[str]
    pages: Integers
    """The turn in which the summary of each stands."""
    first: Integers
    """The first turn of each."""
    covers: Integers
    """The last line of which its summary tells; -1 without one."""

    def of(self, turn: Integers) -> Integers:
        """Which day each of some turns belongs to; -1 for none."""
        said = np.searchsorted(self.first, turn, "right") - 1
        told = np.searchsorted(self.pages, turn, "right") - 1
        return np.where(turn < FIRST_PAGE, said, told)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One entry per piece of every candidate round and of the rounds next to it.

    The pieces of a round stand together, in the order in which they were said.
    """

    statistics: Statistics
    conversations: Mapping[int, str]
    """The id of each conversation, by the number that `conversation` gives."""
    conversation: Integers
    turn: Integers
    seq: Integers
    """The message that the piece is a part of."""
    start: Integers
    """Where the piece begins in its message, in characters."""
    end: Integers
    speaker: NDArray[np.uint8]
    length: Floats
    """In words."""
    time: Integers
    """When it was said, in milliseconds since 1970."""
    counts: Floats
    """How often each term of the question (a column) occurs in each piece (a row)."""
    cosine: Floats
    """How near in meaning it is; NaN where that is not known."""
    eligible: NDArray[np.bool_]
    """Whether the piece may be found; one outside the filter only speaks for its neighbours."""
    matches: int
    """How many messages hold any of the terms, whether they are candidates or not."""
    abbreviations: Abbreviations = NO_ABBREVIATIONS
    days: DayMarks | None = None
    """The days of the conversation, where their summaries were looked for, too."""
