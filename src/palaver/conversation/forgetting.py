"""Forgetting: messages that hold some words, and memories of these, are listed first, and erased
when that is confirmed.

What is listed is noted in the command's event, with its sources: so the list goes with what it
lists. Only the very next thing said in the conversation can confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from palaver.agent.commands import read_command, usage_text
from palaver.agent.markdown import blockquote, link
from palaver.conversation.books import Books
from palaver.conversation.erasure import Erasures
from palaver.conversation.records import Receipt
from palaver.errors import Erased, NotFound
from palaver.index import values
from palaver.index.records import ConversationMeta, Json, Memory, Message
from palaver.index.summary_fold import TITLE
from palaver.ledger.lines import Line
from palaver.memory.forgetting import Forgetting as MemoryForgetting
from palaver.memory.reviving import holds_again
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.text import counted
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

    def __init__(
        self,
        books: Books,
        erasures: Erasures,
        search: Search,
        zone: Zone,
        memories: MemoryForgetting,
    ) -> None:
        self._books = books
        self._erasures = erasures
        self._memories = memories
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
        memories = await self._memories.about(words)
        if not found and not memories:
            return Found("No message holds exactly these words, and no memory is about them.")
        shown, known = found[:MOST], memories[:MOST]
        titles = await self._search.titles({one.conversation_id for one in shown})
        rest = [
            *_rest(len(found) - len(shown), "more message", "more messages"),
            *_rest(len(memories) - len(known), "more memory", "more memories"),
        ]
        return Found(
            self._list(shown, titles, known, rest),
            {
                "listed": [
                    {"conversationId": one.conversation_id, "messageId": one.id} for one in shown
                ],
                "memories": [one.id for one in known],
                "sources": [
                    {"messageId": name}
                    for name in dict.fromkeys([*_cited(shown, known), *await self._named_by(shown)])
                ],
            },
        )

    async def _named_by(self, shown: Sequence[Message]) -> list[str]:
        """The messages from whose words the titles were made that the list shows: it goes with
        them, too."""
        index, user = self._books.index, self._books.user
        found: list[str] = []
        for name in dict.fromkeys(one.conversation_id for one in shown):
            title = await index.summary(user, name, TITLE)
            found += [one.message_id for one in title.sources] if title else []
        return found

    def _list(
        self,
        shown: Sequence[Message],
        titles: dict[str, str | None],
        memories: Sequence[Memory],
        rest: Sequence[str],
    ) -> str:
        entries = [self._entry(one, titles.get(one.conversation_id)) for one in shown]
        said = [f"{counted(len(shown), 'message')} with these words:", *entries] if shown else []
        known = [f"{counted(len(memories), 'memory', 'memories')} of them:"] if memories else []
        known += [blockquote(_short(one.content)) for one in memories]
        left = f" {' and '.join(rest)} will be left; ask again then." if rest else ""
        return "\n\n".join(
            [
                *said,
                *known,
                f"Say `/forget {YES}` to erase exactly these for good.{left} "
                "Anything else leaves them as they are.",
            ]
        )

    def _entry(self, message: Message, title: str | None) -> str:
        when = parse(message.timestamp).astimezone(self._zone())
        place = link(title or _UNNAMED, f"/c/{message.conversation_id}#{message.id}")
        return f"{when:%Y-%m-%d %H:%M}, {place}:\n\n{blockquote(_short(message.content))}"

    async def _confirmed(self, stream: str) -> Found:
        last = _last_said(await self._books.ledger.tail(stream, 1))
        listed, known = values.objects(last.get("listed")), _names(last.get("memories"))
        if not listed and not known:
            return Found(_NOTHING_LISTED)
        # First what was learned of it: its marks keep it from coming back.
        going = await self._memories.forget_some(known)
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
        gone = [f"{counted(len(receipts), 'message')}{also}"] if receipts or not going.lost else []
        gone += [counted(len(going.lost), "memory", "memories")] if going.lost else []
        told = f"Erased for good: {'; '.join(gone)}."
        more = await self._more(values.text(last.get("text")) or "")
        again = holds_again(len(going.back))
        return Found("\n\n".join(part for part in (told, again, more, remains) if part))

    async def _more(self, listing: str) -> str:
        """That there are other memories of what was listed: they were too many, or are new."""
        asked = read_command(listing)
        memories = await self._memories.about(asked.argument) if asked else []
        if not memories:
            return ""
        left = counted(len(memories), "more memory is", "more memories are")
        return f"{left} about these words. Ask again to see what would go."

    async def _erase(self, conversation_id: str, message_id: str) -> Receipt | None:
        """None when it is gone already, perhaps with another one that it quoted."""
        try:
            return await self._erasures.message(conversation_id, message_id, preview=False)
        except (Erased, NotFound):
            return None


_NOTHING_LISTED = "Nothing is listed to be forgotten. Say `/forget` with the words first."


def _last_said(tail: Sequence[Line]) -> Json:
    """The last thing said in a conversation, with what it has listed if it was that command."""
    said = [line for line in tail if line.type == "turn" or line.event == "command"]
    return said[-1].data if said else {}


def _names(value: object) -> list[str]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, str)]


def _cited(shown: Sequence[Message], memories: Sequence[Memory]) -> list[str]:
    """The messages and memories whose words the list shows: it goes with them."""
    sources = [one.source_message_id for one in memories if one.source_message_id]
    return list(dict.fromkeys([*(one.id for one in (*shown, *memories)), *sources]))


def _rest(more: int, one: str, many: str) -> list[str]:
    return [counted(more, one, many)] if more > 0 else []


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
