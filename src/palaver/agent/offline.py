"""The offline assistant: with no model connected, it answers with what was said before."""

from __future__ import annotations

from datetime import datetime, tzinfo

from palaver.agent.evidence import best_quotations, search_words
from palaver.agent.lists import word_set
from palaver.agent.markdown import blockquote, inline, link
from palaver.agent.port import Answer
from palaver.agent.quotation import Quotation, wants_answer
from palaver.errors import IndexUnavailable
from palaver.index.records import Message
from palaver.index.values import OFFLINE
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from palaver.text import words
from palaver.times import parse

_QUOTING = "No model is connected, so I can only quote what was said before."
_NOTHING = (
    "No model is connected, and I found nothing about that in your conversations. "
    "I can find what was said before: ask with the words you would have used then."
)
_NOTED = (
    "Noted. No model is connected, so I cannot say anything about it. "
    "Ask later, and I will quote it with its date."
)
_UNNAMED = "New conversation"
_BLIND = "No model is connected, and I cannot look back just now."
_HELP = (
    "No model is connected, but I can find what was said before. "
    "Ask me about anything in your conversations."
)
_GREETINGS = word_set(
    """
    afternoon bonjour ciao evening greetings hallo hello hey hi hola howdy moin morning
    """
)
_THANKS = word_set("danke gracias merci thank thanks thx")
_FILLERS = word_set("a again all day everyone good lot much so there to very you")
_ROUNDS = 50
"""So many of the best rounds are read for quotations."""
_MONTH_NAMES = """
January February March April May June July August September October November December
"""
_MONTHS = _MONTH_NAMES.split()


class OfflineAssistant:
    """Quotes what was said before, with dates and links. The same question, the same answer."""

    def __init__(self, search: Search, *, name: str, zone: tzinfo) -> None:
        self._search = search
        self._name = name
        self._zone = zone

    async def reply(self, message: Message) -> Answer:
        if opening := self._pleasantry(message.content):
            return _plain(f"{opening} {_HELP}")
        wanted = search_words(message.content)
        if not any(character.isalnum() for word in wanted for character in word):
            return _plain(_HELP)  # signs and emoji ask for nothing
        try:
            return await self._look_back(message, " ".join(wanted))
        except IndexUnavailable as error:
            return _plain(f"{_BLIND} {error.message} {error.remedy}")

    async def _look_back(self, message: Message, query: str) -> Answer:
        terms, hits = await self._search.hits(query, Scope(), limit=_ROUNDS)
        quotations = best_quotations(message, terms, hits)
        titles = await self._search.titles({one.message.conversation_id for one in quotations})
        known = [one for one in quotations if one.message.conversation_id in titles]
        asks = wants_answer(message.content)
        if not known:
            return _plain(_NOTHING if asks else _NOTED)
        told = known if asks else known[:1]
        places = [_place(one, titles[one.message.conversation_id], message) for one in told]
        shown = [self._show(one, place) for one, place in zip(told, places, strict=True)]
        content = "\n\n".join([_QUOTING if asks else _NOTED, *shown])
        return Answer(content, OFFLINE, tuple(one.source for one in told))

    def _show(self, quotation: Quotation, place: str) -> str:
        message = quotation.message
        when = spoken_time(parse(message.timestamp).astimezone(self._zone))
        return f"{self._speaker(message)} said on {when}, {place}:\n\n{blockquote(quotation.text)}"

    def _speaker(self, message: Message) -> str:
        if message.role == "assistant":
            return inline(self._name)
        if message.author and message.author.kind == "participant":
            return inline(message.sender or "Somebody")
        return "You"

    def _pleasantry(self, text: str) -> str:
        """How to open the answer to a greeting or to thanks; empty when it is neither."""
        spoken = set(words(text)) if len(text) <= 80 else set[str]()
        said = spoken - _FILLERS - set(words(self._name))
        if said and said <= _THANKS:
            return "You are welcome."
        return "Hello!" if said and said <= _GREETINGS else ""


def spoken_time(moment: datetime) -> str:
    """A point in time as people write it: 14 February 2026, 09:00."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}, {moment:%H:%M}"


def _place(quotation: Quotation, title: str | None, asked: Message) -> str:
    """Where it was said, as a link to it."""
    message = quotation.message
    target = f"/c/{message.conversation_id}#{message.id}"
    if message.conversation_id == asked.conversation_id:
        return link("earlier in this conversation", target)
    return f"in {link(title or _UNNAMED, target)}"


def _plain(content: str) -> Answer:
    return Answer(content, OFFLINE)
