"""Search: from a query to conversations, or to rounds, in which its words were said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, tzinfo
from hashlib import blake2b

from palaver.errors import BadCursor, BadId, BadValue, NotFound
from palaver.index.port import Hit, Index, SearchFilter
from palaver.index.records import Message
from palaver.ledger.lines import check_stream
from palaver.ledger.strict import dumps
from palaver.recall import cursor as cursors
from palaver.recall.echoes import echoes_last
from palaver.recall.plain import plain_text
from palaver.recall.query import query_words
from palaver.recall.results import MessageHit, SearchPage, SearchResult, turn_range, unit_score
from palaver.recall.snippet import Snippet, snippet
from palaver.recall.window import TimeWindow, time_window

MAX_RESULTS = 200
CANDIDATES = 400
"""How many messages are ranked: a search costs no more than that, whatever the history."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where and when to look; a day is a day of the user's zone."""

    channel: str | None = None
    from_: str | date | None = None
    to: str | date | None = None
    day: str | date | None = None
    conversation_id: str | None = None


class Search:
    """Full-text search over everything one user has said and been told."""

    def __init__(self, index: Index, user: str, zone: tzinfo) -> None:
        self._index = index
        self._user = user
        self._zone = zone

    async def hits(self, words: Sequence[str]) -> Sequence[Hit]:
        """The messages that hold any of `words`, best first. Raises IndexUnavailable."""
        found = await self._index.search(self._user, words, SearchFilter(), limit=CANDIDATES)
        return found.hits

    async def titles(self, conversation_ids: Iterable[str]) -> dict[str, str | None]:
        """The title, if there is one, of each of the conversations that are there."""
        found: dict[str, str | None] = {}
        for one in conversation_ids:
            with suppress(NotFound):
                found[one] = (await self._index.conversation(self._user, one)).title
        return found

    async def conversations(
        self, query: str, scope: Scope, *, limit: int, cursor: str | None = None
    ) -> SearchPage:
        """The conversations that match best. Raises InputError, NotFound, IndexUnavailable.

        A cursor names the conversations of the later pages: new messages do not move them.
        """
        check_limit(limit)
        words, (wanted, window) = query_words(query), await self._filter(scope)
        asked = _fingerprint(words, wanted)
        waiting = _waiting(cursor, asked) if cursor is not None else None
        found = await self._index.search(self._user, words, wanted, limit=CANDIDATES)
        groups = _by_conversation(echoes_last(found.hits))
        if waiting is None:
            waiting = list(groups)[:MAX_RESULTS]
        results = [await self._result(one, groups, words, wanted) for one in waiting[:limit]]
        rest = waiting[limit:]
        return SearchPage(
            results=[result for result in results if result],
            total_matches=found.total,
            time_window=window,
            next_cursor=cursors.encode([asked, *rest]) if rest else None,
        )

    async def rounds(self, query: str, scope: Scope, *, limit: int) -> list[MessageHit]:
        """The rounds that match best. Raises InputError, NotFound, IndexUnavailable."""
        check_limit(limit)
        words, (wanted, _) = query_words(query), await self._filter(scope)
        found = await self._index.search(self._user, words, wanted, limit=CANDIDATES)
        groups = _by_round(echoes_last(found.hits))
        return [_round(hits, words) for hits in list(groups.values())[:limit]]

    async def _filter(self, scope: Scope) -> tuple[SearchFilter, TimeWindow | None]:
        window = time_window(self._zone, from_=scope.from_, to=scope.to, day=scope.day)
        if scope.conversation_id is not None:
            await self._index.conversation(self._user, scope.conversation_id)
        applied = window or TimeWindow()
        wanted = SearchFilter(scope.channel, applied.from_, applied.to, scope.conversation_id)
        return wanted, window

    async def _result(
        self,
        conversation_id: str,
        groups: dict[str, list[Hit]],
        words: Sequence[str],
        wanted: SearchFilter,
    ) -> SearchResult | None:
        """The result for one conversation, or None when it has been deleted meanwhile."""
        try:
            conversation = await self._index.conversation(self._user, conversation_id)
            hits = groups.get(conversation_id) or await self._hits_in(
                conversation_id, words, wanted
            )
        except NotFound:
            return None
        if not hits:
            return None
        best = hits[0]
        turns = list(dict.fromkeys(hit.message.turn_number for hit in hits))
        shown = _snippet(best.message, words)
        return SearchResult(
            conversation_id=conversation_id,
            conversation_name=conversation.title,
            title=conversation.title,
            channel=conversation.channel,
            abbreviation=conversation.abbreviation,
            matched_turns=turns,
            timestamp=best.message.timestamp,
            score=unit_score(best.score),
            topics=conversation.topics,
            snippet=shown.text,
            highlights=shown.highlights,
            turn_range=turn_range(turns),
            message_ids=[hit.message.id for hit in hits],
        )

    async def _hits_in(
        self, conversation_id: str, words: Sequence[str], wanted: SearchFilter
    ) -> Sequence[Hit]:
        """The hits in a conversation that newer ones have crowded out since its cursor was made."""
        only = SearchFilter(wanted.channel, wanted.since, wanted.until, conversation_id)
        found = await self._index.search(self._user, words, only, limit=CANDIDATES)
        return echoes_last(found.hits)


def check_limit(limit: int) -> int:
    """Raises BadValue unless `limit` is a whole number from 1 to 200."""
    if type(limit) is not int or not 1 <= limit <= MAX_RESULTS:
        raise BadValue(f"limit is 1 to {MAX_RESULTS}, not {str(limit)[:20]}.")
    return limit


def _by_conversation(hits: Iterable[Hit]) -> dict[str, list[Hit]]:
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.message.conversation_id, []).append(hit)
    return groups


def _by_round(hits: Iterable[Hit]) -> dict[tuple[str, int], list[Hit]]:
    groups: dict[tuple[str, int], list[Hit]] = {}
    for hit in hits:
        place = (hit.message.conversation_id, hit.message.turn_number)
        groups.setdefault(place, []).append(hit)
    return groups


def _round(hits: Sequence[Hit], words: Sequence[str]) -> MessageHit:
    best = hits[0]
    shown = _snippet(best.message, words)
    return MessageHit(
        conversation_id=best.message.conversation_id,
        turn_number=best.message.turn_number,
        message_ids=[hit.message.id for hit in hits],
        score=unit_score(best.score),
        snippet=shown.text,
        highlights=shown.highlights,
        timestamp=best.message.timestamp,
    )


def _snippet(message: Message, words: Sequence[str]) -> Snippet:
    """Assistants write Markdown, and a snippet is plain text."""
    text = plain_text(message.content) if message.role == "assistant" else message.content
    return snippet(text, words)


def _fingerprint(words: Sequence[str], wanted: SearchFilter) -> str:
    """What a cursor belongs to: the same words in the same scope."""
    scope = [wanted.channel, wanted.since, wanted.until, wanted.conversation_id]
    return blake2b(dumps([list(words), scope]), digest_size=8).hexdigest()


def _waiting(cursor: str, asked: str) -> list[str]:
    fingerprint, *waiting = cursors.decode(cursor) or [""]
    if fingerprint != asked:
        raise BadCursor("The cursor belongs to another search.")
    try:
        return [check_stream(one) for one in waiting]
    except BadId:
        raise BadCursor from None
