"""The recall tools: `search_conversations` and `fetch_context`."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from datetime import tzinfo
from itertools import groupby

from palaver.agent.tools.excerpt import Excerpt
from palaver.agent.tools.past import Archive, Past
from palaver.agent.tools.shapes import (
    DateRange,
    FetchAnswer,
    FetchArguments,
    Found,
    SearchAnswer,
    SearchArguments,
    TurnRange,
)
from palaver.errors import BadValue, NotFound
from palaver.index.records import Message
from palaver.index.rows import SPEAKING_ROLES, UNSAID
from palaver.recall.results import SearchResult, turn_range
from palaver.recall.showing import beginning
from palaver.times import parse

LAST_TURNS = 10
_AT_ONCE = 10
_BEST_TURNS = 50
_REMEDY = "Use a conversationId that search_conversations gave."


async def search_conversations(past: Past, given: SearchArguments) -> SearchAnswer:
    """Raises InputError, IndexUnavailable."""
    when = given.date_range or DateRange()
    page = await past.archive.search_page(
        given.query,
        channel=given.channel,
        from_=when.from_,
        to=when.to,
        before=past.before,
        limit=given.limit,
    )
    found = [await _found(past, result) for result in page.results]
    return SearchAnswer(
        results=[one for one in found if one],
        total_matches=page.total_matches,
        time_window=page.time_window,
        empty_window=page.empty_window,
    )


async def _found(past: Past, result: SearchResult) -> Found | None:
    """The result with who said it, or None when nobody has, or it has been erased meanwhile.

    Nobody said what an abbreviation says: in its place is the message that it begins with.
    """
    if not result.message_ids:
        return None
    try:
        said = await past.archive.message(result.conversation_id, result.message_ids[0])
    except NotFound:
        return None
    if said.role == "system":  # never searched: a model might take it for its own instructions
        return None
    is_said, turns = bool(result.matched_turns), result.matched_turns or [said.turn_number]
    timestamp = result.timestamp if is_said else said.timestamp
    return Found(
        conversation_id=result.conversation_id,
        conversation_name=result.conversation_name,
        channel=result.channel,
        snippet=result.snippet if is_said else beginning(said).text,
        turn_range=result.turn_range or turn_range(turns),
        matched_turns=turns[:_BEST_TURNS],
        message_id=said.id,
        date=spoken_date(timestamp, past.zone()),
        score=result.score,
        topics=result.topics,
        timestamp=timestamp,
        role=said.role,
        sender=said.sender,
        author=said.author,
    )


def spoken_date(moment: str, zone: tzinfo) -> str:
    """A stored time as people in `zone` say it: Saturday 14 February 2026, 10:00."""
    local = parse(moment).astimezone(zone)
    return f"{local:%A} {local.day} {local:%B} {local.year}, {local:%H:%M}"


async def fetch_context(past: Past, given: FetchArguments) -> FetchAnswer:
    """Raises InputError, NotFound, IndexUnavailable."""
    archive = past.archive
    with with_remedy():
        conversation = await archive.conversation(given.conversation_id)
        count = conversation.turn_count
        if given.turn_range is None:
            excerpt, omitted = await _last_turns(archive, conversation.id, count)
        else:
            excerpt, omitted = await _turns(archive, conversation.id, count, given.turn_range)
    return FetchAnswer(
        conversation_id=conversation.id,
        conversation_name=conversation.name,
        channel=conversation.channel,
        turns=excerpt.turns,
        total_turns=count,
        truncated=excerpt.cut or omitted is not None,
        omitted=omitted,
    )


@contextmanager
def with_remedy() -> Generator[None]:
    """Says of a conversation that is not there what a model can do about it."""
    try:
        yield
    except NotFound as error:
        raise NotFound(error.message, remedy=_REMEDY) from None


async def _last_turns(
    archive: Archive, conversation_id: str, count: int
) -> tuple[Excerpt, TurnRange | None]:
    """As many of the last turns as fit, and the earlier ones that do not."""
    first, excerpt = max(count - LAST_TURNS + 1, 0), Excerpt()
    said = await archive.fetch(conversation_id, first=first, last=count)
    for number, messages in reversed(_by_turn(said)):
        if not excerpt.take(messages):
            return excerpt, _range(first, number)
    return excerpt, None


async def _turns(
    archive: Archive, conversation_id: str, count: int, wanted: TurnRange
) -> tuple[Excerpt, TurnRange | None]:
    """As many of the wanted turns as fit, and the later ones that do not. Raises BadValue."""
    if wanted.from_ > wanted.to:
        raise BadValue("turnRange ends before it begins.", remedy="Swap from and to.")
    last, excerpt = min(wanted.to, count), Excerpt()
    for begin in range(wanted.from_, last + 1, _AT_ONCE):
        end = min(begin + _AT_ONCE - 1, last)
        said = await archive.fetch(conversation_id, first=begin, last=end)
        for number, messages in _by_turn(said):
            if not excerpt.take(messages):
                return excerpt, _range(number, last)
    return excerpt, None


def _by_turn(said: Iterable[Message]) -> list[tuple[int, list[Message]]]:
    """What people and the assistant said, turn by turn; not what was erased or failed."""
    shown = [
        message
        for message in said
        if message.role in SPEAKING_ROLES and message.status not in UNSAID
    ]
    shown.sort(key=lambda message: (message.turn_number, message.seq))
    return [
        (number, list(messages))
        for number, messages in groupby(shown, key=lambda message: message.turn_number)
    ]


def _range(first: int, last: int) -> TurnRange:
    return TurnRange.model_validate({"from": first, "to": last})
