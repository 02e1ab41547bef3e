"""Blocks: the keys and codes of 256 vectors as the file holds them, under a seal."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from palaver.index.evidence import Keys
from palaver.index.faults import Unusable
from palaver.index.vectors.codes import Codes

SLOTS = 256
"""How many vectors a block has room for."""
KEY = 16
"""How many bytes a key has in the file; memory knows the first eight."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it was read from the file; a key of zeros marks an empty slot."""

    number: int
    keys: bytes
    codes: Codes

    def key(self, place: int) -> bytes:
        return self.keys[place * KEY : (place + 1) * KEY]

    def used(self) -> int:
        """How many slots are not empty."""
        return int(np.count_nonzero(short(self.keys)))

    def with_slots(self, places: NDArray[np.int64], keys: bytes, codes: Codes) -> Block:
        """The same with some slots overwritten."""
        new_keys = np.frombuffer(self.keys, f"V{KEY}").copy()
        new_keys[places] = np.frombuffer(keys, f"V{KEY}")
        new_codes = self.codes.copy()
        new_codes[:, places] = codes
        return Block(self.number, new_keys.tobytes(), new_codes)

    def row(self) -> tuple[bytes, bytes, bytes, int]:
        """What is stored: always as many bytes."""
        codes = self.codes.tobytes()
        return _seal(self.keys, codes), self.keys, codes, self.number


def empty(number: int, words: int) -> Block:
    return Block(number, bytes(SLOTS * KEY), np.zeros((words, SLOTS), np.uint64))


def read(words: int, number: int, seal: bytes, keys: bytes, codes: bytes) -> Block:
    """The block of a row. Raises Unusable when it is damaged."""
    whole = len(keys) == SLOTS * KEY and len(codes) == SLOTS * words * 8
    if not whole or seal != _seal(keys, codes):
        raise Unusable("The codes of some vectors are damaged.")
    columns = np.frombuffer(codes, "<u8").astype(np.uint64, copy=False)
    return Block(number, keys, columns.reshape(words, SLOTS))


def short(keys: bytes) -> Keys:
    """The keys as memory knows them."""
    return np.frombuffer(keys, "<u8")[::2].astype(np.uint64)


def _seal(keys: bytes, codes: bytes) -> bytes:
    return zlib.crc32(codes, zlib.crc32(keys)).to_bytes(4, "big")
