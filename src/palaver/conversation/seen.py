"""What somebody has seen of a conversation, and whether it is still so when they change it."""

from __future__ import annotations

from collections.abc import Callable

from palaver.conversation.books import Books
from palaver.conversation.frames import FINISHED, STARTED
from palaver.errors import Outdated
from palaver.index.day_fold import CLOSED, SUMMARY
from palaver.index.summary_fold import COMPRESSION, ROLLING
from palaver.ledger.lines import Line
from palaver.ledger.port import Expected

WANTED = "reply_wanted"
"""The event that notes for which message a reply was wanted once more."""
UNSEEN = frozenset({COMPRESSION, ROLLING, SUMMARY, CLOSED, STARTED, FINISHED, WANTED})
"""Events that change nothing of what is shown of a conversation."""


def _none(line: Line) -> bool:
    return False


async def as_seen(
    books: Books,
    conversation_id: str,
    version: int | None,
    ignored: Callable[[Line], bool] = _none,
) -> Expected:
    """What the ledger is to expect, if a conversation has to be as it was shown in `version`.

    What nobody is shown may have come since, and what is `ignored`. Raises NotFound, Outdated.
    """
    if version is None:
        return {}
    last = await books.ledger.tail(conversation_id, 1)
    since = [line for line in last if line.end > version]
    end = last[-1].end if last else 0
    begins = since[0].offset if since else end  # elsewhere, if more came than was read
    if begins != version or any(_shows(line) and not ignored(line) for line in since):
        raise Outdated
    return {conversation_id: end}


def _shows(line: Line) -> bool:
    return line.event not in UNSEEN
