"""Something about the conversations that were used last, and no others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_MOST = 1024


class Remembered(Generic[T]):
    """What is known of so many conversations; those that were used longest ago are forgotten."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, T] = OrderedDict()

    def get(self, conversation_id: str) -> T | None:
        return self._kept.get(conversation_id)

    def known(self, conversation_id: str, make: Callable[[], T]) -> T:
        """What is known of it; if nothing is, it is made and remembered."""
        value = self.get(conversation_id)
        if value is None:
            value = make()
            self.put(conversation_id, value)
        return value

    def put(self, conversation_id: str, value: T) -> None:
        self._kept[conversation_id] = value
        self._kept.move_to_end(conversation_id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
