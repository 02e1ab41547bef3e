"""Faults for the proof of a year: each breaks one of the promises that it looks after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from palaver.app import Palaver
from palaver.context.asked import Asked
from palaver.conversation.calendar import Calendar
from palaver.index import day_fold
from palaver.index.rows import ConversationRow, DayRow
from palaver.ledger.lines import Draft, Line, event, new_id
from palaver.recall.continuous_results import ContinuousPage


def backwards() -> None:
    """An earlier date opens a day, too."""
    last = Calendar._last  # pyright: ignore[reportPrivateUsage]
    opening = Calendar._opening  # pyright: ignore[reportPrivateUsage]

    async def other(self: Calendar, conversation_id: str) -> str | None:
        found = await last(self, conversation_id)
        return "" if found and found > self.today() else found

    async def unkeyed(self: Calendar, *given: Any) -> Draft | None:
        found = await opening(self, *given)
        return found and replace(found, body={**found.body, "key": new_id("key")})

    def open_any(days: dict[str, Any], label: str, turn: int, data: dict[str, Any]) -> bool:
        days |= {"label": label, "first": turn, "untold": []}
        days["unclosed"] = [*days.get("unclosed", ()), [label, data["until"]]]
        return True

    setattr(Calendar, "_last", other)  # noqa: B010
    setattr(Calendar, "_opening", unkeyed)  # noqa: B010
    setattr(day_fold, "_open", open_any)  # noqa: B010


def shifted() -> None:
    """Each day begins a turn too late."""
    day_row = day_fold.day_row

    def later(row: ConversationRow, line: Line) -> DayRow | None:
        found = day_row(row, line)
        late = found is not None and line.event == "day_opened"
        return found._replace(turn=found.turn + 1) if found and late else found

    setattr(day_fold, "day_row", later)  # noqa: B010


def greedy() -> None:
    """As much of a day is shown as there is room for."""

    def room(self: Asked, pieces: Any, reserved: int = 0) -> int:
        return self.budget - reserved - sum(piece.tokens for piece in pieces)

    setattr(Asked, "room", room)  # noqa: B010


async def untell(palaver: Palaver, conversation: str) -> None:
    """A summary tells of less than the one before it."""
    await _repeat(palaver, conversation, covers=1)


async def tell_twice(palaver: Palaver, conversation: str) -> None:
    """A summary tells of what was told."""
    await _repeat(palaver, conversation)


async def _repeat(palaver: Palaver, conversation: str, **fields: Any) -> None:
    told = [line for line in await palaver.lines(conversation) if line.event == "day_summary"]
    kept = ("day", "summary", "covers", "through", "sources", "by", "reason")
    again = {name: told[-1].data[name] for name in kept} | fields
    await _happen(palaver, conversation, "day_summary", **again)


async def close_twice(palaver: Palaver, conversation: str) -> None:
    """A day is closed that is closed."""
    closed = [line for line in await palaver.lines(conversation) if line.event == "day_closed"]
    day, through = closed[0].data["day"], closed[0].data["through"]
    await _happen(palaver, conversation, "day_closed", day=day, through=through)


async def forget(palaver: Palaver, conversation: str) -> None:
    """Nothing is found of what is older than two days."""
    search = palaver.continuous.search

    async def lately(query: str, *, day: str | None = None, **_: Any) -> ContinuousPage:
        return await search(query, day=day, recency_days=2)

    setattr(palaver.continuous, "search", lately)  # noqa: B010


async def _happen(palaver: Palaver, conversation: str, name: str, **fields: Any) -> None:
    drafts = [event(conversation, name, **fields)]
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
