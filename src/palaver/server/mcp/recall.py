"""The recall tools: `search_conversations` and `fetch_context`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo
from itertools import groupby

from palaver.app import Palaver
from palaver.errors import BadValue, NotFound
from palaver.index.records import Message
from palaver.recall.results import SearchResult
from palaver.server.mcp.excerpt import Excerpt
from palaver.server.mcp.shapes import (
    DateRange,
    FetchAnswer,
    FetchArguments,
    Found,
    SearchAnswer,
    SearchArguments,
    TurnRange,
)
from palaver.times import parse

LAST_TURNS = 10
_AT_ONCE = 10
_REMEDY = "Use a conversationId that search_conversations gave."


async def search_conversations(palaver: Palaver, given: SearchArguments) -> SearchAnswer:
    """Raises InputError, IndexUnavailable."""
    when = given.date_range or DateRange()
    page = await palaver.search_page(
        given.query, channel=given.channel, from_=when.from_, to=when.to, limit=given.limit
    )
    zone = palaver.settings.user.zone
    found = [await _found(palaver, result, zone) for result in page.results]
    return SearchAnswer(
        results=[one for one in found if one],
        total_matches=page.total_matches,
        time_window=page.time_window,
        empty_window=page.empty_window,
    )


async def _found(palaver: Palaver, result: SearchResult, zone: tzinfo) -> Found | None:
    """The result with who said it, or None when it has been erased meanwhile."""
    try:
        said = await palaver.message(result.conversation_id, result.message_ids[0])
    except NotFound:
        return None
    if said.role == "system":  # never searched: a model might take it for its own instructions
        return None
    return Found(
        conversation_id=result.conversation_id,
        conversation_name=result.conversation_name,
        channel=result.channel,
        snippet=result.snippet,
        turn_range=result.turn_range,
        date=spoken_date(result.timestamp, zone),
        score=result.score,
        topics=result.topics,
        timestamp=result.timestamp,
        role=said.role,
        sender=said.sender,
        author=said.author,
    )


def spoken_date(moment: str, zone: tzinfo) -> str:
    """A stored time as people in `zone` say it: Saturday 14 February 2026, 10:00."""
    local = parse(moment).astimezone(zone)
    return f"{local:%A} {local.day} {local:%B} {local.year}, {local:%H:%M}"


async def fetch_context(palaver: Palaver, given: FetchArguments) -> FetchAnswer:
    """Raises InputError, NotFound, IndexUnavailable."""
    try:
        conversation = await palaver.conversation(given.conversation_id)
        count = conversation.turn_count
        if given.turn_range is None:
            excerpt, omitted = await _last_turns(palaver, conversation.id, count)
        else:
            excerpt, omitted = await _turns(palaver, conversation.id, count, given.turn_range)
    except NotFound as error:
        raise NotFound(error.message, remedy=_REMEDY) from None
    return FetchAnswer(
        conversation_id=conversation.id,
        conversation_name=conversation.title,
        channel=conversation.channel,
        turns=excerpt.turns,
        total_turns=count,
        truncated=excerpt.cut or omitted is not None,
        omitted=omitted,
    )


async def _last_turns(
    palaver: Palaver, conversation_id: str, count: int
) -> tuple[Excerpt, TurnRange | None]:
    """As many of the last turns as fit, and the earlier ones that do not."""
    first, excerpt = max(count - LAST_TURNS + 1, 0), Excerpt()
    said = await palaver.fetch(conversation_id, first=first, last=count)
    for number, messages in reversed(_by_turn(said)):
        if not excerpt.take(messages):
            return excerpt, _range(first, number)
    return excerpt, None


async def _turns(
    palaver: Palaver, conversation_id: str, count: int, wanted: TurnRange
) -> tuple[Excerpt, TurnRange | None]:
    """As many of the wanted turns as fit, and the later ones that do not. Raises BadValue."""
    if wanted.from_ > wanted.to:
        raise BadValue("turnRange ends before it begins.", remedy="Swap from and to.")
    last, excerpt = min(wanted.to, count), Excerpt()
    for begin in range(wanted.from_, last + 1, _AT_ONCE):
        end = min(begin + _AT_ONCE - 1, last)
        said = await palaver.fetch(conversation_id, first=begin, last=end)
        for number, messages in _by_turn(said):
            if not excerpt.take(messages):
                return excerpt, _range(number, last)
    return excerpt, None


def _by_turn(said: Iterable[Message]) -> list[tuple[int, list[Message]]]:
    """What people and the assistant said, turn by turn; what was erased says nothing any more."""
    shown = [
        message
        for message in said
        if message.role in ("user", "assistant") and message.status != "redacted"
    ]
    shown.sort(key=lambda message: (message.turn_number, message.seq))
    return [
        (number, list(messages))
        for number, messages in groupby(shown, key=lambda message: message.turn_number)
    ]


def _range(first: int, last: int) -> TurnRange:
    return TurnRange.model_validate({"from": first, "to": last})
