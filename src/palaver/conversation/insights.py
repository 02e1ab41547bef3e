"""Insights: how much was said, day by day, what it cost, and how much is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from pydantic import AliasChoices, Field

from palaver.conversation.books import Books
from palaver.errors import BadValue
from palaver.index.port import Activity, Span
from palaver.index.records import Health, Record
from palaver.times import Clock, Zone, iso, parse_day

DAYS = 365
MOST_DAYS = 366
"""A year, also when it is a leap year."""


class Said(Record):
    """How much was said, and what that took."""

    messages: int
    """Of the user and of the assistant."""
    input_tokens: int
    """Those that models read."""
    output_tokens: int
    """Those that models wrote."""
    cost: float
    """In US dollars. Replies that were superseded since have cost what they cost."""


class SaidByModel(Said):
    """The replies of a model."""

    model: str
    """Its name."""


class SaidOnChannel(Said):
    """What was said on a channel."""

    channel: str
    turns: int
    """How many turns the user has begun, or gone on with."""


class SaidOnDay(Said):
    """What was said on a day."""

    day: str
    """The day, as 2026-02-14."""
    turns: int
    """How many turns the user has begun, or gone on with."""
    models: list[SaidByModel]
    """The same by model, for replies of which it is known."""


class StorageUse(Record):
    """How much is kept."""

    conversations: int
    """How many there are, with the archived ones."""
    ledger_bytes: int
    """How long all that was said is, as it is stored."""
    index_bytes: int | None
    """None in a database, where one index serves many."""


class Insights(Record):
    """How much was said, what it cost, and how much is kept."""

    timezone: str
    """The zone of the days."""
    from_: str = Field(validation_alias=AliasChoices("from", "from_"), serialization_alias="from")
    """The first day that was asked for."""
    to: str
    """The last one."""
    days: list[SaidOnDay]
    """Those on which something was said."""
    channels: list[SaidOnChannel]
    """The same by channel."""
    models: list[SaidByModel]
    """The same by model, for replies of which it is known."""
    storage: StorageUse
    """How much is kept."""
    index: Health
    """How far the index can be trusted."""


class Statistics:
    """Counts what one user has said."""

    def __init__(self, books: Books, zone: Zone, clock: Clock) -> None:
        self._books = books
        self._zone = zone
        self._clock = clock

    async def insights(self, from_: str | None, to: str | None) -> Insights:
        """What was said from one day to another, both included; in the last year, unless they are
        given. Raises BadValue, IndexUnavailable."""
        zone, index, user = self._zone(), self._books.index, self._books.user
        first, last = _days(from_, to, self._clock().astimezone(zone).date())
        found = await index.activity(user, _spans(first, last, zone))
        storage = await index.storage(user)
        return Insights(
            timezone=str(zone),
            from_=first.isoformat(),
            to=last.isoformat(),
            days=[_day(day, some) for day, some in _grouped(found, lambda one: one.day)],
            channels=[_channel(*one) for one in _grouped(found, lambda one: one.channel)],
            models=_models(found),
            storage=StorageUse(
                conversations=storage.conversations,
                ledger_bytes=storage.ledger_bytes,
                index_bytes=storage.index_bytes,
            ),
            index=index.health(),
        )


def _days(from_: str | None, to: str | None, today: date) -> tuple[date, date]:
    """Raises BadValue."""
    last = parse_day(to) if to is not None else today
    first = parse_day(from_) if from_ is not None else _year_before(last)
    if first > last:
        raise BadValue(f"The first day, {first}, comes after {last}.", remedy="Swap from and to.")
    if (last - first).days >= MOST_DAYS:
        raise BadValue(f"That is more than {MOST_DAYS} days.", remedy="Ask for a year at a time.")
    return first, last


def _year_before(last: date) -> date:
    return max(last, date.min + timedelta(DAYS)) - timedelta(DAYS - 1)


def _spans(first: date, last: date, zone: tzinfo) -> list[Span]:
    """A day lasts until the next one begins: not always 24 hours. Raises BadValue."""
    days = [first + timedelta(number) for number in range((last - first).days + 1)]
    try:
        begins = [iso(datetime.combine(day, time(), zone)) for day in days]
        end = iso(datetime.combine(last + timedelta(1), time(), zone))
    except OverflowError:
        raise BadValue("Nothing was said so long ago, or so far ahead.") from None
    ends = [*begins[1:], end]
    return [
        Span(day.isoformat(), since, until)
        for day, since, until in zip(days, begins, ends, strict=True)
    ]


def _grouped(
    found: Sequence[Activity], key: Callable[[Activity], str | None]
) -> list[tuple[str, list[Activity]]]:
    """What was found by what `key` tells of it, in that order, without what it tells nothing of."""
    groups: dict[str, list[Activity]] = {}
    for one in found:
        if (name := key(one)) is not None:
            groups.setdefault(name, []).append(one)
    return sorted(groups.items())


def _models(found: Sequence[Activity]) -> list[SaidByModel]:
    grouped = _grouped(found, lambda one: one.model)
    return [SaidByModel(model=model, **_sums(some)) for model, some in grouped]


def _channel(channel: str, found: Sequence[Activity]) -> SaidOnChannel:
    return SaidOnChannel(channel=channel, turns=_turns(found), **_sums(found))


def _day(day: str, found: Sequence[Activity]) -> SaidOnDay:
    return SaidOnDay(day=day, turns=_turns(found), models=_models(found), **_sums(found))


def _turns(found: Sequence[Activity]) -> int:
    return sum(one.turns for one in found)


def _sums(found: Sequence[Activity]) -> dict[str, Any]:
    return {
        "messages": sum(one.messages for one in found),
        "input_tokens": sum(one.input_tokens for one in found),
        "output_tokens": sum(one.output_tokens for one in found),
        "cost": sum(one.cost for one in found),
    }
