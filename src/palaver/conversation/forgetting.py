"""Forgetting: messages that hold some words are listed first, and erased when that is confirmed.

What is listed is noted in the command's event, with its sources: so the list goes with what it
lists. Only the very next thing said in the conversation can confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.agent.commands import usage_text
from palaver.agent.markdown import blockquote, link
from palaver.conversation.books import Books
from palaver.conversation.erasure import Erasures, counted
from palaver.conversation.records import Receipt
from palaver.errors import Erased, NotFound
from palaver.index.records import ConversationMeta, Json, Message
from palaver.index.values import objects
from palaver.ledger.lines import Line
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.times import Zone, parse

YES = "yes"
MOST = 20
"""So many messages are listed at most, and erased."""
_SEARCHED = 200
_SHOWN = 200
"""So many characters of a message are shown."""
_UNNAMED = "New conversation"


@dataclass(frozen=True, slots=True)
class Found:
    """What the command answers, and notes."""

    answer: str
    fields: Json | None = None


class Forgetting:
    """Finds and erases what somebody wants to be forgotten."""

    def __init__(self, books: Books, erasures: Erasures, search: Search, zone: Zone) -> None:
        self._books = books
        self._erasures = erasures
        self._search = search
        self._zone = zone

    async def outcome(
        self, words: str, stream: str, conversation: ConversationMeta | None
    ) -> Found:
        """Raises IndexUnavailable, StorageFailed."""
        if not words:
            return Found(usage_text("forget"))
        if words.lower().rstrip(".!") == YES:
            return await self._confirmed(stream) if conversation else Found(_NOTHING_LISTED)
        return await self._listed(words)

    async def _listed(self, words: str) -> Found:
        scope = Scope(ignore_time_phrases=True)
        _, hits = await self._search.hits(words, scope, limit=_SEARCHED)
        wanted = _folded(words)
        found = [hit.message for hit in hits if wanted in _folded(hit.message.content)]
        found.sort(key=lambda one: (one.timestamp, one.id), reverse=True)
        if not found:
            return Found("No message holds exactly these words.")
        shown = found[:MOST]
        titles = await self._search.titles({one.conversation_id for one in shown})
        return Found(
            self._list(shown, titles, len(found) - len(shown)),
            {
                "listed": [
                    {"conversationId": one.conversation_id, "messageId": one.id} for one in shown
                ],
                "sources": [{"messageId": one.id} for one in shown],
            },
        )

    def _list(self, shown: Sequence[Message], titles: dict[str, str | None], more: int) -> str:
        entries = [self._entry(one, titles.get(one.conversation_id)) for one in shown]
        rest = f" {counted(more, 'more message')} will be left; ask again then." if more else ""
        return "\n\n".join(
            [
                f"{counted(len(shown), 'message')} with these words:",
                *entries,
                f"Say `/forget {YES}` to erase exactly these for good.{rest} "
                "Anything else leaves them as they are.",
            ]
        )

    def _entry(self, message: Message, title: str | None) -> str:
        when = parse(message.timestamp).astimezone(self._zone())
        place = link(title or _UNNAMED, f"/c/{message.conversation_id}#{message.id}")
        text = message.content
        excerpt = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        return f"{when:%Y-%m-%d %H:%M}, {place}:\n\n{blockquote(excerpt)}"

    async def _confirmed(self, stream: str) -> Found:
        listed = _listed_in(await self._books.ledger.tail(stream, 1))
        if not listed:
            return Found(_NOTHING_LISTED)
        receipts = [
            receipt
            for one in listed
            if (receipt := await self._erase(one["conversationId"], one["messageId"]))
        ]
        replies = {
            one.message_id for receipt in receipts for one in receipt.dependents if one.message_id
        }
        also = (
            f", and {counted(len(replies), 'reply', 'replies')} that quoted them" if replies else ""
        )
        remains = "\n".join(f"- {one}" for one in self._books.remains)
        told = f"Erased for good: {counted(len(receipts), 'message')}{also}."
        return Found(f"{told}\n\n{remains}" if remains else told)

    async def _erase(self, conversation_id: str, message_id: str) -> Receipt | None:
        """None when it is gone already, perhaps with another one that it quoted."""
        try:
            return await self._erasures.message(conversation_id, message_id, preview=False)
        except (Erased, NotFound):
            return None


_NOTHING_LISTED = "Nothing is listed to be forgotten. Say `/forget` with the words first."


def _listed_in(tail: Sequence[Line]) -> list[Json]:
    """What the last thing said in a conversation has listed, if it was that command."""
    said = [line for line in tail if line.type == "turn" or line.event == "command"]
    return objects(said[-1].data.get("listed")) if said else []


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
