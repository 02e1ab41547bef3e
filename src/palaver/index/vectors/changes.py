"""Writing vectors: inside one transaction, each slot overwritten in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from palaver.index.faults import Unusable
from palaver.index.sqlite.database import Database
from palaver.index.vectors import blocks
from palaver.index.vectors.blocks import KEY, SLOTS, Block, short
from palaver.index.vectors.cells import cell_size, pack
from palaver.index.vectors.codes import Codes, encode, words
from palaver.index.vectors.memory import Memory
from palaver.index.vectors.snapshot import Snapshot
from palaver.index.vectors.statements import QUERIES, among


class Changes:
    """What one transaction does to the vectors of one model."""

    def __init__(self, database: Database, model: str, dimensions: int, memory: Memory) -> None:
        """Inside `writing`. Raises Unusable."""
        self._database = database
        self._model = model
        self._dimensions = dimensions
        self._snapshot = memory.follow(database)

    def add(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Stores those that are not there yet."""
        there = stored(self._database, self._snapshot, self._dimensions, keys)
        rows = {key: row for row, key in enumerate(keys) if key not in there}
        if rows:
            self._database.run(QUERIES["add_model"], (self._model, self._dimensions))
            chosen = vectors[list(rows.values())]
            self._write(self._room(len(rows)), list(rows), encode(chosen), pack(chosen))

    def remove(self, keys: Sequence[bytes]) -> int:
        """Overwrites what is stored under the keys; returns how many there were."""
        there = stored(self._database, self._snapshot, self._dimensions, keys)
        if there:
            nothing = np.zeros((words(self._dimensions), len(there)), np.uint64)
            cells = [bytes(cell_size(self._dimensions))] * len(there)
            self._write(list(there.values()), [bytes(KEY)] * len(there), nothing, cells)
        return len(there)

    def _room(self, count: int) -> list[int]:
        """Slots for so many vectors: empty ones, then new ones behind all others."""
        slots: list[int] = self._snapshot.slots(self._snapshot.free()[:count]).tolist()
        while len(slots) < count:
            slots += self._add_block()
        return slots[:count]

    def _add_block(self) -> Iterable[int]:
        row = self._database.one(QUERIES["add_block"], (self._model,))
        if row is None:
            raise Unusable("The file of the vectors is not as this program made it.")
        (number,) = row
        block = blocks.empty(number, words(self._dimensions))
        self._database.run(QUERIES["add_content"], block.row())
        slots = range(number * SLOTS, (number + 1) * SLOTS)
        size = cell_size(self._dimensions)
        self._database.many(QUERIES["add_slot"], ((slot, size) for slot in slots))
        return slots

    def _write(
        self, slots: Sequence[int], keys: Sequence[bytes], codes: Codes, cells: Sequence[bytes]
    ) -> None:
        self._database.run(QUERIES["count_change"])
        self._database.many(QUERIES["set_vector"], zip(cells, slots, strict=True))
        numbers, inside = np.divmod(np.array(slots, np.int64), SLOTS)
        for number, block in _read(self._database, self._dimensions, numbers.tolist()).items():
            which = np.flatnonzero(numbers == number)
            labels = b"".join(keys[row] for row in which.tolist())
            written = block.with_slots(inside[which], labels, codes[:, which])
            self._database.run(QUERIES["set_content"], written.row())
            self._database.run(QUERIES["set_block"], (written.used(), number))


def stored(
    database: Database, snapshot: Snapshot, dimensions: int, keys: Sequence[bytes]
) -> Mapping[bytes, int]:
    """The slots of those keys that are stored. Raises Unusable."""
    slots: list[int] = snapshot.slots(snapshot.sharing(short(b"".join(keys)))).tolist()
    read = _read(database, dimensions, [slot // SLOTS for slot in slots])
    found = {read[slot // SLOTS].key(slot % SLOTS): slot for slot in slots}
    return {key: found[key] for key in keys if key in found}


def _read(database: Database, dimensions: int, numbers: Iterable[int]) -> Mapping[int, Block]:
    wanted = set(numbers)
    rows = database.all(QUERIES["content"], (among(wanted),))
    if len(rows) != len(wanted):
        raise Unusable("Some vectors are gone from their file.")
    return {row[0]: blocks.read(words(dimensions), *row) for row in rows}
