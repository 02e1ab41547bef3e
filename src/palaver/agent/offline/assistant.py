"""The offline assistant as it answered before there was an agent."""

from __future__ import annotations

from datetime import tzinfo

from palaver.agent.offline.evidence import best_quotations, search_words
from palaver.agent.offline.pleasantries import pleasantry
from palaver.agent.offline.quotation import wants_answer
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import BLIND, HELP, NOTED, NOTHING, QUOTING
from palaver.agent.port import Answer
from palaver.errors import IndexUnavailable
from palaver.index.records import Message
from palaver.index.values import OFFLINE
from palaver.recall.scope import Scope
from palaver.recall.search import Search

_ROUNDS = 50
"""So many of the best rounds are read for quotations."""


class OfflineAssistant:
    """Quotes what was said before, with dates and links. The same question, the same answer."""

    def __init__(self, search: Search, *, name: str, zone: tzinfo) -> None:
        self._search = search
        self._name = name
        self._zone = zone

    async def reply(self, message: Message) -> Answer:
        if opening := pleasantry(message.content, self._name):
            return _plain(f"{opening} {HELP}")
        wanted = search_words(message.content)
        if not any(character.isalnum() for word in wanted for character in word):
            return _plain(HELP)  # signs and emoji ask for nothing
        try:
            return await self._look_back(message, " ".join(wanted))
        except IndexUnavailable as error:
            return _plain(f"{BLIND} {error.message} {error.remedy}")

    async def _look_back(self, message: Message, query: str) -> Answer:
        terms, hits = await self._search.hits(query, Scope(), limit=_ROUNDS)
        quotations = best_quotations(terms, hits, but={message.id})
        titles = await self._search.titles({one.message.conversation_id for one in quotations})
        known = [one for one in quotations if one.message.conversation_id in titles]
        asks = wants_answer(message.content)
        if not known:
            return _plain(NOTHING if asks else NOTED)
        told = known if asks else known[:1]
        teller = Teller(self._name, self._zone, message.conversation_id)
        shown = [teller.tell(one, titles[one.message.conversation_id]) for one in told]
        content = "\n\n".join([QUOTING if asks else NOTED, *shown])
        return Answer(content, OFFLINE, tuple(one.source for one in told))


def _plain(content: str) -> Answer:
    return Answer(content, OFFLINE)
