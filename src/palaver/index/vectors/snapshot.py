"""The codes of one model as the file held them at one change.

A snapshot never changes: a search goes on with the one it began with, while others write.
A place is a vector's position in memory; a key of 0 marks one that is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Keys
from palaver.index.vectors.blocks import SLOTS, Block, short
from palaver.index.vectors.codes import Codes, distances

_BLOCKS = 64
_CHUNK = SLOTS * _BLOCKS
FARTHEST = 0x3FFF
"""Farther than any code can be from another."""

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some blocks in a row: as much as fits the processor's cache."""

    keys: Keys
    codes: Codes
    empty: Places


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What can be known of the vectors without reading the file."""

    stamp: bytes
    """Which file it is."""
    change: int
    blocks: Places
    """The numbers of the blocks in the file, in the order of memory."""
    chunks: tuple[Chunk, ...]
    keys: Keys
    """Every key, in ascending order."""
    places: Places
    """The place of each of `keys`."""

    def __len__(self) -> int:
        """How many places there are, with the empty ones."""
        return len(self.blocks) * SLOTS

    def locate(self, keys: Keys) -> Places:
        """The place of each key, -1 where there is none."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int64)
        at = np.empty(len(keys), np.int64)
        order = np.argsort(keys)  # in order, each is looked for close to the last
        at[order] = np.searchsorted(self.keys, keys[order])
        at = np.minimum(at, len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.places[at], -1)

    def sharing(self, keys: Keys) -> Places:
        """The places of all vectors that have one of the keys: two texts may share one."""
        wanted = np.unique(keys)
        first = np.searchsorted(self.keys, wanted, "left").tolist()
        last = np.searchsorted(self.keys, wanted, "right").tolist()
        ranges = (range(*ends) for ends in zip(first, last, strict=True))
        return self.places[np.fromiter(chain.from_iterable(ranges), np.int64)]

    def keys_at(self, places: Places) -> Keys:
        """The keys of some places."""
        order = np.argsort(places)
        parts = [chunk.keys[inside] for chunk, inside in self._by_chunk(places[order])]
        found = np.empty(len(places), np.uint64)
        found[order] = np.concatenate([found[:0], *parts])
        return found

    def slots(self, places: Places) -> Places:
        """Where the vectors at some places are in the file."""
        return self.blocks[places // SLOTS] * SLOTS + places % SLOTS

    def codes(self, places: Places) -> Codes:
        """The codes at some places."""
        order = np.argsort(places)
        parts = [chunk.codes.take(inside, 1) for chunk, inside in self._by_chunk(places[order])]
        found = np.empty((len(self.chunks[0].codes), len(places)), np.uint64)
        found[:, order] = np.concatenate([found[:, :0], *parts], axis=1)
        return found

    def _by_chunk(self, places: Places) -> Iterator[tuple[Chunk, Places]]:
        """Each chunk that has some of the places, which are in order, and where they are in it."""
        ends = np.searchsorted(places, np.arange(len(self.chunks) + 1) * _CHUNK).tolist()
        for number, (first, last) in enumerate(pairwise(ends)):
            if first < last:
                yield self.chunks[number], places[first:last] - number * _CHUNK

    def distances(self, code: Codes) -> NDArray[np.uint16]:
        """The distance of every place; an empty one is farther than any other."""
        found = np.empty(len(self), np.uint16)
        for number, chunk in enumerate(self.chunks):
            part = found[number * _CHUNK :][: len(chunk.keys)]
            part[:] = distances(code, chunk.codes)
            part[chunk.empty] = FARTHEST
        return found

    def free(self) -> Places:
        """Every empty place."""
        parts = [chunk.empty + number * _CHUNK for number, chunk in enumerate(self.chunks)]
        return np.concatenate([np.empty(0, np.int64), *parts])

    def with_blocks(self, change: int, written: Iterable[Block]) -> Snapshot:
        """The same after some blocks were written; they come in the order of their numbers."""
        numbers = {number: position for position, number in enumerate(self.blocks.tolist())}
        placed = ((numbers.setdefault(block.number, len(numbers)), block) for block in written)
        chunks, touched = list(self.chunks), list[int]()
        for number, group in groupby(placed, lambda item: item[0] // _BLOCKS):
            some = list(group)
            touched += [position for position, _ in some]
            old = chunks[number] if number < len(chunks) else None
            chunks[number : number + 1] = [_rewritten(old, some)]
        blocks = np.fromiter(numbers, np.int64, len(numbers))
        new = Snapshot(self.stamp, change, blocks, tuple(chunks), self.keys, self.places)
        return new._in_order(touched)

    def _in_order(self, touched: Sequence[int]) -> Snapshot:
        """The same with the keys of some blocks put where they belong among all keys."""
        changed = np.zeros(len(self.blocks), np.bool_)
        changed[touched] = True
        kept = ~changed[self.places // SLOTS]
        places = np.flatnonzero(np.repeat(changed, SLOTS))
        keys = self.keys_at(places)
        order = np.argsort(keys)
        order = order[np.count_nonzero(keys == 0) :]
        at = np.searchsorted(self.keys[kept], keys[order])
        keys = np.insert(self.keys[kept], at, keys[order])
        places = np.insert(self.places[kept], at, places[order])
        return replace(self, keys=keys, places=places)


def nothing(stamp: bytes) -> Snapshot:
    """What there is before anything is read."""
    nowhere = np.empty(0, np.int64)
    return Snapshot(stamp, 0, nowhere, (), np.empty(0, np.uint64), nowhere)


def _rewritten(old: Chunk | None, placed: Sequence[tuple[int, Block]]) -> Chunk:
    """A chunk with some of its blocks replaced or added."""
    length = (placed[-1][0] % _BLOCKS + 1) * SLOTS
    length = max(length, len(old.keys)) if old else length
    keys = np.zeros(length, np.uint64)
    codes = np.zeros((len(placed[0][1].codes), length), np.uint64)
    if old:
        keys[: len(old.keys)] = old.keys
        codes[:, : len(old.keys)] = old.codes
    for position, block in placed:
        start = position % _BLOCKS * SLOTS
        keys[start : start + SLOTS] = short(block.keys)
        codes[:, start : start + SLOTS] = block.codes
    return Chunk(keys, codes, np.flatnonzero(keys == 0))
