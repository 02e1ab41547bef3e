"""Searching the continuous conversation: what was said and what tells of its days, as one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date
from hashlib import blake2b

from palaver.errors import BadCursor, BadValue
from palaver.index.port import Index, SearchFilter
from palaver.ledger.strict import check_text, dumps
from palaver.recall.continuous_results import ContinuousPage
from palaver.recall.continuous_showing import Showing
from palaver.recall.cursor import SignedCursors
from palaver.recall.listing import LOOKED_AT, Listing
from palaver.recall.query import check_query, search_terms
from palaver.recall.ranking import FoundRound
from palaver.recall.results import MAX_RESULTS
from palaver.recall.scope import Moment, Reading, Scope, read_query
from palaver.recall.search import Asked, Search
from palaver.recall.window import TimeWindow, time_window
from palaver.times import Clock, Zone, parse_day

RECENCY_DAYS, LIMIT, MOST = 14, 6, 20
_LAST_TURN = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of the continuous conversation."""

    query: str
    day: str | None = None
    """Only on this day of it, whatever time it was."""
    from_: Moment = None
    to: Moment = None
    recency_days: int = RECENCY_DAYS
    """How many days back; 0 for all time. A time that is named overrides it."""
    min_score: float | None = None
    before: str | None = None
    """What was said from this moment on is not looked at: such as the question itself."""


class ContinuousSearch:
    """Searches the continuous conversation of one user."""

    def __init__(
        self, index: Index, user: str, search: Search, *, zone: Zone, clock: Clock
    ) -> None:
        self._index = index
        self._user = user
        self._search = search
        self._zone = zone
        self._clock = clock
        self._showing = Showing(index, user)
        self._listing = Listing(index, user)
        self._cursors = SignedCursors()

    async def page(
        self, conversation_id: str | None, asking: Asking, *, limit: int, cursor: str | None
    ) -> ContinuousPage:
        """Best first; of equal ones the newer day, then the newer message. A cursor names what is
        on the later pages: new messages do not move it. Raises InputError, NotFound,
        IndexUnavailable."""
        check_asking(asking, limit)
        asked = _fingerprint(asking)
        kept = _Kept.of(self._cursors.read(cursor, asked)) if cursor is not None else None
        reading = self._read(asking) if kept is None else kept.read
        place = await self._place(conversation_id, asking)
        if place is None:
            return ContinuousPage(results=[], time_window=reading.window)
        answer = await self._look(reading, place, asking, fixed=kept is not None)
        found = await self._named(place, answer, asking.min_score)
        waiting = list(found) if kept is None else kept.names
        here, rest = waiting[:limit], waiting[limit:]
        found |= await self._crowded_out(answer.reading, place, [n for n in here if n not in found])
        chosen = [found[name] for name in here if name in found]
        results = await self._showing.results(place.conversation_id, chosen, answer)
        return ContinuousPage(
            results=results,
            next_cursor=self._cursors.write(asked, _Kept(answer.reading, rest).values())
            if rest
            else None,
            time_window=answer.reading.window,
            empty_window=answer.empty_window,
        )

    # -- when --------------------------------------------------------------------------------

    def _read(self, asking: Asking) -> Reading:
        """What the query means: a time that it names goes before how far back is looked."""
        query, zone = check_query(asking.query), self._zone()
        recent = time_window(zone, recency_days=asking.recency_days, clock=self._clock)
        if asking.day is not None:
            return Reading(query, None, only_time=_asks_for_all(query))
        scope = Scope(from_=asking.from_, to=asking.to)
        reading = read_query(query, scope, zone, self._clock)
        return reading if reading.window is not None else replace(reading, window=recent)

    async def _place(self, conversation_id: str | None, asking: Asking) -> _Place | None:
        """Where is looked; None if there is no such day, or no conversation yet."""
        if conversation_id is None:
            return None
        if asking.day is None:
            return _Place(conversation_id, None, asking.before)
        day = await self._index.day(self._user, conversation_id, asking.day)
        if day is None:
            return None
        last = _LAST_TURN if day.last_turn is None else day.last_turn
        return _Place(conversation_id, (day.first_turn, last), asking.before)

    # -- what --------------------------------------------------------------------------------

    async def _look(self, reading: Reading, place: _Place, asking: Asking, *, fixed: bool) -> Asked:
        answer = await self._search.look(reading, place.wanted(reading))
        if answer.found or not reading.from_phrase or fixed:
            return answer
        # Nothing was said of it then; so all time is searched, for the other words.
        telling = search_terms(reading.query, (), timed=True)
        instead = Reading(reading.query if telling else asking.query, None)
        answer = await self._search.look(instead, place.wanted(instead))
        return replace(answer, empty_window=reading.window)

    async def _crowded_out(
        self, reading: Reading, place: _Place, names: Sequence[str]
    ) -> dict[str, FoundRound]:
        """What a cursor names, and newer messages have pushed off the list since."""
        found: dict[str, FoundRound] = {}
        for name in names:
            if name.isdecimal():
                alone = replace(place, turns=(int(name), int(name)))
                answer = await self._search.look(reading, alone.wanted(reading))
                found |= await self._named(place, answer, None)
        return found

    async def _named(
        self, place: _Place, answer: Asked, least: float | None
    ) -> dict[str, FoundRound]:
        """What was found, each by a name of its own: best first, then the newer day and message;
        where nothing but a time is asked for, as it was said."""
        if answer.reading.only_time:
            found = answer.found.rounds(LOOKED_AT)
            ranked = await self._listing.ordered(place.conversation_id, found)
        else:
            ranked = sorted(answer.found.rounds(MAX_RESULTS), key=_rank)
        return {_name(one): one for one in ranked if least is None or one.score >= least}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where is looked."""

    conversation_id: str
    turns: tuple[int, int] | None
    before: str | None

    def wanted(self, reading: Reading) -> SearchFilter:
        scope = Scope(conversation_id=self.conversation_id, before=self.before)
        return replace(reading.wanted(scope), turns=self.turns, days=True)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a cursor keeps: the words and the window of the first page, and what is still to come.

    The window does not move with the clock between two pages.
    """

    read: Reading
    names: list[str]

    def values(self) -> list[str]:
        window = self.read.window or TimeWindow()
        marks = "t" if self.read.only_time else "p" if self.read.from_phrase else ""
        return [self.read.query, window.from_ or "", window.to or "", marks, *self.names]

    @classmethod
    def of(cls, values: Sequence[str]) -> _Kept:
        """Raises BadCursor."""
        match values:
            case [query, since, until, marks, *names]:
                window = TimeWindow(from_=since or None, to=until or None)
                has = bool(since or until)
                read = Reading(
                    query, window if has else None, from_phrase=bool(marks), only_time=marks == "t"
                )
                return cls(read, names)
            case _:
                raise BadCursor


def check_asking(asking: Asking, limit: int) -> None:
    """Raises BadValue."""
    check_text(asking.query)
    if type(limit) is not int or not 1 <= limit <= MOST:
        raise BadValue(f"limit is 1 to {MOST}, not {str(limit)[:20]}.")
    if asking.min_score is not None and not 0 <= asking.min_score <= 1:
        raise BadValue("minScore is 0 to 1.", remedy="Leave it out to get every result.")
    if asking.day is not None:
        parse_day(asking.day)
        if asking.from_ is not None or asking.to is not None:
            raise BadValue("Give either a day, or from and to.", remedy="Leave one of them out.")


def _asks_for_all(query: str) -> bool:
    from palaver.recall.phrases import asks_for_all

    return asks_for_all(query)


def _name(one: FoundRound) -> str:
    return one.day[0] if one.is_page and one.day else str(one.turn)


def _rank(one: FoundRound) -> tuple[float, int, int]:
    day = date.fromisoformat(one.day[0]).toordinal() if one.day else 0
    return -one.score, -day, -one.best[1]


def _fingerprint(asking: Asking) -> str:
    """What a cursor belongs to: the same question."""
    values = [*map(repr, astuple(replace(asking, before=None)))]
    return blake2b(dumps(values), digest_size=8).hexdigest()
