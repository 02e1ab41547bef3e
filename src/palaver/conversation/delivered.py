"""Delivered: how far messages have come that are sent to a channel, told beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from palaver.conversation.books import Books
from palaver.conversation.streams import WEB
from palaver.index.records import Delivery, Message


async def with_deliveries(books: Books, messages: Iterable[Message]) -> list[Message]:
    """The messages, with how far they have come. What is said on the page is sent to nobody, and
    costs no question; else it is one for each conversation. Raises IndexUnavailable."""
    given = list(messages)
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for one in given:
        if one.channel not in (None, WEB):
            asked[one.conversation_id].append(one.id)
    found = {
        stream: await books.index.deliveries(books.user, stream, ids)
        for stream, ids in asked.items()
    }
    return [_told(one, found.get(one.conversation_id, {}).get(one.id)) for one in given]


def _told(message: Message, delivery: Delivery | None) -> Message:
    return message.model_copy(update={"delivery": delivery.status()}) if delivery else message
