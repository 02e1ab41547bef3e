"""Counting: a number with its noun."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 message, 14 messages."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
