"""Poison: what the server tells, with a payload wherever there is a text."""

from __future__ import annotations

from functools import cache
from itertools import cycle
from typing import Any, cast

from tests.page.payloads import PAYLOADS

# What the page acts on and does not show: changing it would only break the page.
_NOT_TEXT = {
    *("id", "conversationId", "messageId", "jobId", "key", "seq", "cursor", "nextCursor"),
    *("role", "status", "kind", "type", "mode", "channel", "state", "level", "by", "titledBy"),
    *("timestamp", "created", "updated", "made", "at", "from", "to", "day", "date", "timezone"),
    *("expires", "lastUsed", "revoked", "contextCompiledAt", "conversationStatus"),
    *("replyTo", "supersedes"),
    *("dayLabel", "daySegmentId", "summaryCoversUntil", "updatedAt", "previousDay", "nextDay"),
    *("today", "since"),
    *("trust", "policy", "lastBy", "draftId", "after", "grade", "audience"),
}
_SHORT = [payload for payload in PAYLOADS if len(payload) < 400]


def _ordered() -> list[str]:
    """All of them in one text, each time beginning with another."""
    step = 29
    return [" ".join(_SHORT[at:] + _SHORT[:at]) for at in range(0, len(_SHORT), step)]


_texts = cycle(_ordered())


@cache
def _payload(told: str) -> str:
    """The same for the same text: the page may act on it when something changes."""
    return next(_texts)


def poisoned(told: Any, name: str = "") -> Any:
    match told:
        case dict():
            return {key: poisoned(value, key) for key, value in cast(dict[str, Any], told).items()}
        case list():
            return [poisoned(one, name) for one in cast(list[Any], told)]
        case str() if name not in _NOT_TEXT:
            return _payload(told)
        case _:
            return told
