"""The statements of the vectors, and how keys and vectors are written in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import orjson

from palaver.index.evidence import Floats, Keys
from palaver.sql import statements

QUERIES = statements(__package__ or "", "queries.sql")


def for_model(name: str, dimensions: int) -> str:
    """A statement that compares vectors. A type takes no values: the number stands in the text."""
    return QUERIES[name].format(dimensions=int(dimensions))


def written(vector: Floats) -> str:
    return orjson.dumps(vector.astype(np.float32), option=orjson.OPT_SERIALIZE_NUMPY).decode()


def shorts_of(keys: Sequence[bytes]) -> list[int]:
    """The first halves of keys, as the table has them."""
    return np.frombuffer(b"".join(key[:8] for key in keys), "<i8").tolist()


def signed(keys: Keys) -> list[int]:
    """Keys as the table has them."""
    return keys.view(np.int64).tolist()


def listed(keys: Keys) -> str:
    """Very many keys: as one text they are handed over sooner than as a list."""
    return f"{{{','.join(map(str, signed(keys)))}}}"


def unsigned(numbers: Sequence[int]) -> Keys:
    return np.array(numbers, np.int64).view(np.uint64)
