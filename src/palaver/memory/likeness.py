"""Likeness: which memories say the same, and which contradict each other, among all of them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from palaver.index.evidence import Vector
from palaver.index.port import Index
from palaver.index.records import Memory
from palaver.memory.sameness import Known, relation
from palaver.text import words

_NEAR = 0.5
"""What is farther apart in meaning has nothing to do with each other."""
_ROWS = 128
"""So many are compared with all others at once."""
_CROWD = 200
"""Of a slot that more than that fill, only so many are compared with each other."""

Pair = tuple[Memory, Memory]
"""The one that holds longer first."""


async def related(
    index: Index, user: str, memories: Sequence[Memory]
) -> tuple[list[Pair], list[Pair]]:
    """The pairs that say the same, and those of which the later one contradicts the earlier.

    Raises IndexUnavailable.
    """
    ordered = sorted(memories, key=lambda one: (one.valid_from or one.created, one.id))
    meant = await index.meanings(user, [one.content for one in ordered])
    return await asyncio.to_thread(_related, ordered, meant)


def _related(
    ordered: Sequence[Memory], meant: Mapping[str, Vector]
) -> tuple[list[Pair], list[Pair]]:
    known = dict.fromkeys(_by_word(ordered)) | _by_meaning(ordered, meant)
    same: list[Pair] = []
    against: list[Pair] = []
    for (one, other), similarity in sorted(known.items()):
        old, new = ordered[one], ordered[other]
        if new.id in old.beside or old.id in new.beside:
            continue
        match relation(_known(old), _known(new), similarity):
            case "same":
                same.append((old, new))
            case "supersedes":
                against.append((old, new))
            case _:
                pass
    return same, against


def _by_word(memories: Sequence[Memory]) -> Iterator[tuple[int, int]]:
    """Those of the same words, and those that fill the same slot."""
    alike: dict[object, list[int]] = defaultdict(list)
    for place, one in enumerate(memories):
        alike[frozenset(words(one.content))].append(place)
        if one.slot:
            alike[one.slot].append(place)
    for places in alike.values():
        few = places[-_CROWD:]
        yield from ((one, other) for at, one in enumerate(few) for other in few[at + 1 :])


def _by_meaning(
    memories: Sequence[Memory], meant: Mapping[str, Vector]
) -> dict[tuple[int, int], float | None]:
    places = [place for place, one in enumerate(memories) if one.content in meant]
    found: dict[tuple[int, int], float | None] = {}
    if not places:
        return found
    vectors = np.stack([meant[memories[place].content] for place in places])
    for start in range(0, len(places), _ROWS):
        cosines = vectors[start : start + _ROWS] @ vectors[start:].T
        for row, column in np.argwhere(cosines >= _NEAR).tolist():
            if column > row:
                pair = (places[start + row], places[start + column])
                found[pair] = float(cosines[row, column])
    return found


def _known(memory: Memory) -> Known:
    return Known(memory.content, memory.type, memory.slot)
