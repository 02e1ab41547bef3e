"""What a conversation is owed: an abbreviation once it is quiet, and a name that fits it."""

from __future__ import annotations

from datetime import datetime, timedelta

from palaver.digest.port import Want
from palaver.index.port import Owed
from palaver.times import before

NAMED_AFTER = 5
"""With so many turns a conversation is named, also while it goes on."""
RENAMED_AFTER = 10
"""After so many more turns it is named again, once it is quiet."""
_AHEAD = timedelta(days=1)
NOTHING: frozenset[Want] = frozenset()


def is_quiet(heard: str, now: datetime, idle_after: timedelta) -> bool:
    """Whether nothing was heard for so long. Times are compared as in the rows, as texts: one may
    name a day that never was."""
    return heard <= before(now, idle_after) or heard > not_yet(now)


def not_yet(now: datetime) -> str:
    """What was heard after this was heard by a clock that went wrong: nobody waits for that day."""
    return before(now, -_AHEAD)


def wanted_of(owed: Owed, *, quiet: bool, model: bool) -> frozenset[Want]:
    """What is to be made now. `model` tells whether there is one to make what only stands in for
    what it failed to make."""
    if owed.conversation.mode == "continuous" or owed.heard_seq < 0:
        return NOTHING
    wanted: set[Want] = set()
    if quiet and _is_untold(owed, model=model):
        wanted.add("abbreviation")
    if not owed.conversation.manually_named and _is_unnamed(owed, quiet=quiet, model=model):
        wanted.add("title")
    return frozenset(wanted)


def _is_untold(owed: Owed, *, model: bool) -> bool:
    return owed.heard_seq > owed.abbreviated_seq or (model and owed.abbreviation_stands_in)


def _is_unnamed(owed: Owed, *, quiet: bool, model: bool) -> bool:
    turns = owed.conversation.turn_count
    if owed.conversation.title is None or (model and owed.title_stands_in):
        return quiet or turns >= NAMED_AFTER
    return quiet and turns - owed.named_turn >= RENAMED_AFTER
