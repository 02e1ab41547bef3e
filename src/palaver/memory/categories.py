"""Categories: the part of life that something belongs to."""

from __future__ import annotations

from palaver.digest.state.content import plain
from palaver.memory.cues import Cues
from palaver.memory.frames import Said


def category_of(text: str, cues: Cues, said: Said | None = None) -> str:
    """What the words are about; else what is usually said so; `personal` if neither tells."""
    low = plain(text)
    if said and said.slot and said.frame.category:
        return said.frame.category
    for pattern, name in cues.categories:
        if pattern.search(low):
            return name
    return (said.frame.category if said else "") or "personal"
