"""The report of a start: what was done to bring everything into order."""

from __future__ import annotations

from typing import Literal

from palaver.index.records import Record
from palaver.index.stored.caught import CaughtUp


class StartReport(Record):
    """What was done when somebody's conversations were opened, and what was left to do then."""

    streams_read: int = 0
    """In so many streams there was something to look at: the others were not read."""
    lines_caught_up: int = 0
    """So many lines were stored that could not be found yet."""
    torn_ends_mended: int = 0
    redactions_finished: int = 0
    """So many messages and conversations were to be erased, and still had their words."""
    streams_made_again: int = 0
    """So many streams were told wrongly, because somebody had edited them."""
    rebuild: Literal["none", "running", "done"] = "none"
    """Whether everything had to be indexed again, and whether that is done."""
    messages_answered: int = 0
    """So many messages waited for a reply because a process died, and get it."""
    digests_queued: int | None = None
    """So many conversations are owed notes or a title, of which at most 200 are counted; None as
    long as nobody has looked."""
    milliseconds: float = 0.0
    """How long it took to open them."""


def report(
    caught: CaughtUp, streams: frozenset[str] = frozenset(), *, torn: int = 0, erased: int = 0
) -> StartReport:
    """What an index and a ledger have done; `streams` are those that the ledger has read."""
    return StartReport(
        streams_read=len(streams | caught.streams),
        lines_caught_up=caught.lines,
        torn_ends_mended=torn,
        redactions_finished=erased,
        streams_made_again=caught.made_again,
        rebuild=caught.rebuild,
    )
