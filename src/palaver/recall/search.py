"""Search: from a query to the conversations, or the rounds, that it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from hashlib import blake2b

from palaver.errors import BadValue, NotFound
from palaver.index.pieces import without_marks
from palaver.index.port import Index, Place, Question, Reach, SearchFilter, Shown
from palaver.index.records import StoredSummary
from palaver.index.summary_fold import ABBREVIATION
from palaver.ledger.strict import check_text, dumps
from palaver.recall.clauses import CLAUSE_WEIGHT, clauses
from palaver.recall.cursor import SignedCursors
from palaver.recall.listing import LOOKED_AT, Listing
from palaver.recall.query import check_query, search_terms
from palaver.recall.ranking import Found, FoundRound, FoundUnit, Ranking, rank
from palaver.recall.results import (
    MAX_RESULTS,
    AnyKind,
    Hit,
    Kind,
    MessageHit,
    SearchPage,
    SearchResult,
    turn_range,
)
from palaver.recall.scope import Reading, Scope, read_query
from palaver.recall.scoring import Weights
from palaver.recall.showing import show
from palaver.recall.snippet import Snippet, snippet
from palaver.recall.window import TimeWindow
from palaver.text import Term
from palaver.text.query import MAX_CHARACTERS
from palaver.times import Clock, Zone

_WORDS_ONLY = Weights(meaning=0)
_NEAR = 5
"""So many of the best turns make up the range that a result names."""


@dataclass(frozen=True, slots=True)
class _Best:
    """What speaks for a result: a part of a message, or of an abbreviation."""

    shown: Snippet
    message_ids: list[str]
    timestamp: str | None = None
    """When it was said."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was looked for, and what was found."""

    reading: Reading
    terms: Sequence[Term]
    found: Found
    empty_window: TimeWindow | None = None
    """The window that the query names, and in which nothing was found."""


class Search:
    """Search by word, by meaning and by time over everything one user has said and been told."""

    def __init__(
        self, index: Index, user: str, *, zone: Zone, clock: Clock, ranking: Ranking
    ) -> None:
        self._index = index
        self._user = user
        self._zone = zone
        self._clock = clock
        self._ranking = ranking
        self._cursors = SignedCursors()
        self._listing = Listing(index, user)

    async def page(
        self,
        query: str,
        scope: Scope,
        *,
        limit: int,
        kind: Kind = "conversation",
        cursor: str | None = None,
        explain: bool = False,
    ) -> SearchPage:
        """Conversations, or single rounds, best first.

        A cursor names what is on the later pages: new messages do not move it. Raises InputError,
        NotFound, IndexUnavailable.
        """
        check_limit(limit)
        asked = fingerprint(check_text(query), scope, kind)
        names = self._cursors.read(cursor, asked) if cursor is not None else None
        answer = await self._ask(query, scope)
        units = answer.found.units(kind)
        waiting = list(units) if names is None else names
        here, rest = waiting[:limit], waiting[limit:]
        units |= await self._crowded_out(
            answer.reading, scope, kind, [one for one in here if one not in units]
        )
        chosen = [units[name]() for name in here if name in units]
        results = await self._results(chosen, answer, kind, explain=explain)
        return SearchPage(
            results=results,
            total_matches=max(answer.found.matches, len(waiting)),
            time_window=answer.reading.window,
            empty_window=answer.empty_window,
            next_cursor=self._cursors.write(asked, rest) if rest else None,
        )

    async def rounds(
        self, query: str, scope: Scope, *, limit: int, explain: bool = False
    ) -> list[MessageHit]:
        """The rounds that match best. Raises InputError, NotFound, IndexUnavailable."""
        check_limit(limit)
        answer = await self._ask(query, scope)
        chosen = answer.found.rounds(limit)
        said = await self._index.shown(
            self._user,
            [one.best for one in chosen],
            [place for one in chosen for place in one.places],
        )
        hits: list[MessageHit] = []
        for one in chosen:
            if message := said.messages.get(one.best):
                shown = show(message, one, answer.terms)
                hits.append(
                    MessageHit(
                        conversation_id=one.conversation_id,
                        turn_number=one.turn,
                        message_ids=_present(said.ids, one.places),
                        score=one.score,
                        snippet=shown.text,
                        highlights=shown.highlights,
                        timestamp=message.timestamp,
                        explanation=one.explanation if explain else None,
                    )
                )
        return hits

    async def hits(
        self, query: str, scope: Scope, *, limit: int
    ) -> tuple[Sequence[Term], list[Hit]]:
        """The messages of the rounds that match best, and what was looked for in them.

        Raises InputError, NotFound, IndexUnavailable.
        """
        answer = await self._ask(query, scope)
        chosen = answer.found.rounds(limit)
        places = {place: one.score for one in chosen for place in one.places}
        messages = await self._index.at(self._user, list(places))
        hits = [Hit(one, places[one.conversation_id, one.seq]) for one in messages]
        return answer.terms, hits

    async def glance(
        self, query: str, scope: Scope, *, limit: int, reach: Reach
    ) -> list[FoundRound]:
        """The rounds whose words match best, looked for no further than `reach`. It takes as long
        in a long conversation as in a short one, and finds nothing by meaning.

        Raises InputError, NotFound, IndexUnavailable.
        """
        return (await self._ask(query, scope, reach)).found.rounds(limit)

    async def titles(self, conversation_ids: Iterable[str]) -> dict[str, str | None]:
        """The title, if there is one, of each of the conversations that are there."""
        found = await self._index.described(self._user, list(conversation_ids))
        return {name: meta.name for name, meta in found.items()}

    # -- looking -----------------------------------------------------------------------------

    async def _ask(self, query: str, scope: Scope, reach: Reach | None = None) -> Asked:
        reading = read_query(check_query(query), scope, self._zone(), self._clock)
        answer = await self.look(reading, reading.wanted(scope), reach)
        if reading.from_phrase and not answer.found:
            # Nothing was said of it then; so all time is searched, for the other words.
            telling = search_terms(reading.query, (), timed=True)
            instead = Reading(reading.query if telling else query, reading.otherwise)
            answer = await self.look(instead, instead.wanted(scope), reach)
            return replace(answer, empty_window=reading.window)
        return answer if reach is not None else await self._listed(answer)

    async def look(
        self, reading: Reading, wanted: SearchFilter, reach: Reach | None = None
    ) -> Asked:
        """What a query gives that was read already. Raises NotFound, IndexUnavailable."""
        if reading.only_time:  # all that was said then, the newest first
            question = Question([], reach=reach or Reach(rounds=LOOKED_AT))
        else:
            question = await self._question(reading, reach)
        evidence = await self._index.evidence(self._user, question, wanted)
        ranking = self._ranking if reach is None else _WORDS_ONLY
        return Asked(reading, question.terms, rank(evidence, ranking))

    async def _listed(self, answer: Asked) -> Asked:
        """Where nothing but a time is asked for, scored by what tells of it."""
        if not answer.reading.only_time or not answer.found:
            return answer
        return replace(answer, found=await self._listing.weighed(answer.found))

    async def _question(self, reading: Reading, reach: Reach | None) -> Question:
        """What to look for: words, the meaning of the whole, and that of each clause; within a
        reach, words alone."""
        unread = None if reach is None else reach.unread
        languages = await self._index.languages(self._user, unread=unread)
        terms = search_terms(reading.query, languages, timed=reading.from_phrase)
        if reach is not None:
            return Question(terms, reach=reach)
        if not terms:
            return Question(terms)
        read = reading.query[:MAX_CHARACTERS]
        return Question(terms, read, clauses(read), CLAUSE_WEIGHT)

    async def _crowded_out(
        self, reading: Reading, scope: Scope, kind: Kind, names: Sequence[str]
    ) -> dict[str, Callable[[], FoundUnit]]:
        """What a cursor names, and newer messages have pushed off the list since."""
        found: dict[str, Callable[[], FoundUnit]] = {}
        for conversation_id in dict.fromkeys(name.partition(":")[0] for name in names):
            there = replace(scope, conversation_id=conversation_id)
            with suppress(NotFound):
                answer = await self._listed(await self.look(reading, reading.wanted(there)))
                found |= answer.found.units(kind)
        return found

    # -- showing -----------------------------------------------------------------------------

    async def _results(
        self,
        units: Sequence[FoundUnit],
        answer: Asked,
        kind: Kind,
        *,
        explain: bool,
    ) -> list[SearchResult]:
        """The results, without those that have been deleted meanwhile."""
        said = await self._index.shown(
            self._user,
            [one.best.best for one in units if one.best],
            [place for one in units for place in _places(one)],
            [one.conversation_id for one in units],
        )
        results: list[SearchResult] = []
        for one in units:
            meta = said.conversations.get(one.conversation_id)
            best = await self._best(one, said, answer.terms) if meta else None
            if meta and best:
                results.append(
                    SearchResult(
                        conversation_id=meta.id,
                        conversation_name=meta.name,
                        title=meta.name,
                        channel=meta.channel,
                        abbreviation=meta.abbreviation,
                        matched_turns=list(one.turns),
                        timestamp=best.timestamp or meta.updated,
                        score=one.score,
                        topics=meta.topics,
                        snippet=best.shown.text,
                        highlights=best.shown.highlights,
                        turn_range=turn_range(one.turns[:_NEAR]),
                        message_ids=best.message_ids,
                        kind=kind,
                        explanation=one.explanation if explain else None,
                    )
                )
        return results

    async def _best(self, one: FoundUnit, said: Shown, terms: Sequence[Term]) -> _Best | None:
        """What speaks for a result: its best round, or the abbreviation if there is none."""
        if one.best is None:
            with suppress(NotFound):
                told = await self._index.summary(self._user, one.conversation_id, ABBREVIATION)
                return _told(told, terms) if told else None
            return None
        message = said.messages.get(one.best.best)
        if message is None:
            return None
        ids = _present(said.ids, _places(one))
        return _Best(show(message, one.best, terms), ids, message.timestamp)


def check_limit(limit: int) -> int:
    """Raises BadValue unless `limit` is a whole number from 1 to 200."""
    if type(limit) is not int or not 1 <= limit <= MAX_RESULTS:
        raise BadValue(f"limit is 1 to {MAX_RESULTS}, not {str(limit)[:20]}.")
    return limit


def _told(abbreviation: StoredSummary, terms: Sequence[Term]) -> _Best:
    ids = dict.fromkeys(source.message_id for source in abbreviation.sources)
    return _Best(snippet(without_marks(abbreviation.text), terms), list(ids))


def _places(one: FoundUnit) -> list[Place]:
    return [place for each in one.rounds for place in each.places]


def _present(ids: Mapping[Place, str], places: Iterable[Place]) -> list[str]:
    return [ids[place] for place in places if place in ids]


def fingerprint(query: str, scope: Scope, kind: AnyKind) -> str:
    """What a cursor belongs to: the same query in the same scope."""
    values = [query, kind, *map(repr, astuple(scope))]
    return blake2b(dumps(values), digest_size=8).hexdigest()
