"""Searching what was said with outsiders. Nothing else finds it, and this finds nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from palaver.channels.connection import Connection
from palaver.channels.external.standing import shown
from palaver.conversation.books import Books
from palaver.index.port import ExternalFound, ExternalHit, Place
from palaver.recall.cursor import SignedCursors
from palaver.recall.plain import plain_text
from palaver.recall.query import check_query, search_terms
from palaver.recall.results import MAX_RESULTS, ExternalResult, Outside, SearchPage
from palaver.recall.scope import Reading, Scope, read_query
from palaver.recall.search import check_limit, fingerprint
from palaver.recall.snippet import Snippet, snippet
from palaver.recall.window import TimeWindow
from palaver.text import Term
from palaver.times import Clock, Zone, iso, parse

_BEGINNING = 1000
"""So much of a message is looked at to show how it begins."""


@dataclass(frozen=True, slots=True)
class _Answer:
    window: TimeWindow | None
    terms: Sequence[Term]
    hits: Mapping[str, ExternalHit]
    """Best first, each by its name."""
    empty_window: TimeWindow | None = None


@dataclass(frozen=True, slots=True)
class _Begun:
    """A search whose first page was shown. The pages after it read the query as that one did,
    whatever comes in meanwhile, and however late it is."""

    moment: datetime
    """When it was asked."""
    elsewhen: bool
    """Whether all time was searched, for nothing came in when the query says."""
    names: Sequence[str]
    """What was not shown yet."""

    def written(self) -> list[str]:
        return [iso(self.moment), "elsewhen" if self.elsewhen else "", *self.names]

    @staticmethod
    def read(values: Sequence[str]) -> _Begun:
        moment, elsewhen, *names = values
        return _Begun(parse(moment), bool(elsewhen), names)


class ExternalSearch:
    """Search by word and by time in the exchanges of one user with others."""

    def __init__(
        self, books: Books, connections: Mapping[str, Connection], *, zone: Zone, clock: Clock
    ) -> None:
        self._books = books
        self._connections = connections
        self._zone = zone
        self._clock = clock
        self._cursors = SignedCursors()

    async def page(
        self,
        query: str,
        scope: Scope,
        *,
        limit: int,
        cursor: str | None = None,
        explain: bool = False,
    ) -> SearchPage:
        """Messages, best first. `scope.conversation_id` is the id of an exchange.

        Raises InputError, NotFound, IndexUnavailable.
        """
        check_limit(limit)
        check_query(query)
        asked = fingerprint(query, scope, "external")
        begun = _Begun.read(self._cursors.read(cursor, asked)) if cursor is not None else None
        now = begun.moment if begun else self._clock()
        reading = read_query(query, scope, self._zone(), lambda: now)
        answer = await self._ask(query, reading, scope, begun)
        waiting = list(answer.hits)[:MAX_RESULTS] if begun is None else begun.names
        here, rest = waiting[:limit], waiting[limit:]
        chosen = [answer.hits[name] for name in here if name in answer.hits]
        left = _Begun(now, answer.empty_window is not None, rest)
        return SearchPage(
            results=await self._results(chosen, answer.terms, explain=explain),
            total_matches=len(answer.hits),
            time_window=answer.window,
            empty_window=answer.empty_window,
            next_cursor=self._cursors.write(asked, left.written()) if rest else None,
        )

    async def _ask(
        self, query: str, reading: Reading, scope: Scope, begun: _Begun | None
    ) -> _Answer:
        if begun is None or not begun.elsewhen:
            answer = await self._look(reading, scope)
            if answer.hits or begun or not reading.from_phrase:
                return answer
        # Nothing came in then; so all time is searched, for the other words.
        telling = search_terms(reading.query, (), timed=True)
        instead = Reading(reading.query if telling else query, reading.otherwise)
        found = await self._look(instead, scope)
        return _Answer(found.window, found.terms, found.hits, reading.window)

    async def _look(self, reading: Reading, scope: Scope) -> _Answer:
        index, user = self._books.index, self._books.user
        languages = await index.external_languages(user)
        timed = reading.from_phrase
        terms = [] if reading.only_time else search_terms(reading.query, languages, timed=timed)
        hits = await index.external_hits(user, terms, reading.wanted(scope))
        return _Answer(reading.window, terms, {_name(hit.place): hit for hit in hits})

    async def _results(
        self, hits: Sequence[ExternalHit], terms: Sequence[Term], *, explain: bool
    ) -> list[ExternalResult]:
        """The results, without those that have been erased meanwhile."""
        places = [hit.place for hit in hits]
        found = await self._books.index.external_found(self._books.user, places)
        results: list[ExternalResult] = []
        for hit in hits:
            if one := found.get(hit.place):
                explanation = ({"words": hit.score} if terms else {}) if explain else None
                results.append(self._result(hit, one, _shown(hit, one, terms), explanation))
        return results

    def _result(
        self,
        hit: ExternalHit,
        found: ExternalFound,
        told: Snippet,
        explanation: dict[str, float] | None,
    ) -> ExternalResult:
        meta, message = found.external, found.message
        exchange = shown(meta, self._connections.get(meta.channel))
        return ExternalResult(
            conversation_id=meta.id,
            conversation_name=meta.name,
            title=meta.name or meta.party,
            channel=meta.channel,
            abbreviation=None,
            matched_turns=[],
            timestamp=message.taken,
            score=hit.score,
            topics=[],
            snippet=told.text,
            highlights=told.highlights,
            turn_range="",
            message_ids=[message.id],
            external=Outside(
                by=message.by,
                party=meta.party,
                name=meta.name,
                sender=message.sender,
                trust=exchange.trust,
                claimed=message.claimed,
            ),
            explanation=explanation,
        )


def _name(place: Place) -> str:
    return f"{place[0]}:{place[1]}"


def _shown(hit: ExternalHit, found: ExternalFound, terms: Sequence[Term]) -> Snippet:
    """The part of a message that shows why it was found, as plain text. Models write Markdown; what
    an outsider wrote is shown as it is."""
    content = found.message.content
    start, end = hit.span if terms else (0, _BEGINNING)
    text = content[start:end]
    if found.message.by == "assistant":
        text = plain_text(text)
    return snippet(text, terms, before=start > 0, after=end < len(content))
