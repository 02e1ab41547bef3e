"""A task: all that a digest is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaver.digest.port import Point, Want
from palaver.digest.state import Item
from palaver.index.evidence import Vector
from palaver.index.records import Message


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be said in fewer words, as another process is told of it."""

    messages: Sequence[Message]
    before: Sequence[Point]
    open: Sequence[Item]
    vectors: Mapping[str, Vector]
    """The vectors of pieces, by their text; some or all may be missing."""
    wanted: frozenset[Want]
